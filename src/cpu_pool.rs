//! Work that takes processor time, on threads of its own, so that those that serve HTTP only wait.
//!
//! Searches, grounding, plans and whole questions run here. A task that is late is no longer waited for; it keeps one of
//! these threads until it comes to an end, and no other. Two kinds of work take turns among themselves, so that however much
//! there is of it, threads and processors are left for all else: looking around ([`CpuPool::aside`]), whose single steps may
//! be long, and what is computed at length ([`CpuPool::at_length`], [`CpuPool::in_turns`]), piece by piece. Uses nothing of
//! this package.
//!
//! Tools, grounding and the planner are tasks of their own here, so that the deadline of a question holds whatever they
//! do. What is computed at length (the plan, and the look-up of a question's words) runs freely for 50 ms, and then in
//! turns of 10 ms with all other such work, on half of the processors; looks take turns on as many threads of their
//! own. Every loop of the planner that can be long asks `AllowedTime` whether it goes on. Tests: `tests`,
//! `tests/bounds.rs`, `tests/fair.rs`, and `tests/long.rs` of the planner.

mod turns;

use eruca_planner::Pace;
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot::Receiver;
use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument;
use turns::{Turn, Turnstile};

/// Threads at least: one search that takes long must not hold up all others.
const MIN_THREADS: usize = 2;
/// What is computed at length goes on for so long before it takes turns: most plans come to their end in this time.
const FREE: Duration = Duration::from_millis(50);
/// How long it then goes on in one turn.
const TURN: Duration = Duration::from_millis(10);

/// Threads for work, shared by all questions of a service.
pub struct CpuPool {
    /// `None` when the system gives no threads: work is then done where it is asked for.
    runtime: Option<Runtime>,
    /// Turns of those who look around.
    looks: Turnstile,
    /// Turns of what is computed at length.
    long: Turnstile,
}

impl CpuPool {
    /// Starts the threads: one for each processor, and those on which looks take turns.
    pub fn start() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let turns = (processors / 2).max(1);
        let built = Builder::new_multi_thread()
            .worker_threads(processors.max(MIN_THREADS) + turns)
            .thread_name("eruca-work")
            .build();
        let runtime = built
            .inspect_err(
                |error| tracing::error!(%error, "no threads could be started for searches; searches delay other requests"),
            )
            .ok();
        let turns = || Turnstile::new(turns);
        Self { runtime, looks: turns(), long: turns() }
    }

    /// Does the work on these threads. It is given up when the caller no longer waits; its panics are the caller's.
    pub async fn run<F>(&self, work: F) -> F::Output
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        let Some(runtime) = &self.runtime else { return work.await };
        let work = AtHome { home: Handle::current(), work: Box::pin(work.in_current_span()) };
        let mut running = AbortOnDrop(runtime.spawn(work));
        match (&mut running.0).await {
            Ok(done) => done,
            Err(error) => ended(error).await,
        }
    }

    /// The same; `None` when it has not ended in this time.
    pub async fn within<F>(&self, time: Duration, work: F) -> Option<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        tokio::time::timeout(time, self.run(work)).await.ok()
    }

    /// [`run`](Self::run) for those who look around: the steps of all such work have half of the processors at most.
    pub async fn aside<F>(&self, work: F) -> F::Output
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        self.run(InTurn::new(&self.looks, Duration::ZERO, work)).await
    }

    /// [`run`](Self::run) for work of many steps: once it has taken long, its steps take turns with what is computed at length.
    /// It lets others come between them with a [`Breath`].
    pub async fn in_turns<F>(&self, work: F) -> F::Output
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        self.run(InTurn::new(&self.long, FREE, work)).await
    }

    /// Does work that only waits apart from these threads, where a search that computes would hold it up. Its panics are the
    /// caller's.
    pub async fn apart<F>(work: F) -> F::Output
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        match tokio::spawn(work.in_current_span()).await {
            Ok(done) => done,
            Err(error) => ended(error).await,
        }
    }

    /// Computes something on a thread of its own. What takes long goes on piece by piece, in turn with all that does, on half
    /// of the processors at most, those that have had least first; the work asks for its next turn between its steps. Its
    /// panics are the caller's.
    pub async fn at_length<T: Send + 'static>(&self, work: impl FnOnce(&Turns) -> T + Send + 'static) -> T {
        let Some(runtime) = &self.runtime else { return work(&Turns::new(None)) };
        let given_up = GivenUp::default();
        let (turns, stopped) = (self.long.clone(), given_up.0.clone());
        let span = tracing::Span::current();
        let computed = runtime
            .spawn_blocking(move || span.in_scope(|| work(&Turns::new(Some(TurnSource { turns, stopped })))));
        let done = match computed.await {
            Ok(done) => done,
            Err(error) => ended(error).await,
        };
        drop(given_up);
        done
    }
}

/// What becomes of a caller whose work has not come to its end.
async fn ended<T>(error: JoinError) -> T {
    match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        // The threads are being stopped, so no task waits any longer.
        Err(_) => std::future::pending().await,
    }
}

/// The turns of what is computed at length: it begins at will, and then waits for each.
pub struct Turns {
    source: Option<TurnSource>,
    /// When the present turn began, and when it is over.
    present: Cell<(Instant, Instant)>,
    /// How long its turns have been so far.
    had: Cell<Duration>,
    held: RefCell<Option<Turn>>,
}

/// Where turns come from.
struct TurnSource {
    turns: Turnstile,
    stopped: Arc<AtomicBool>,
}

impl Turns {
    fn new(source: Option<TurnSource>) -> Self {
        let now = Instant::now();
        let present = Cell::new((now, now + FREE));
        Self { source, present, had: Cell::default(), held: RefCell::default() }
    }
}

impl Pace for Turns {
    fn goes_on(&self) -> bool {
        let Some(TurnSource { turns, stopped }) = &self.source else { return true };
        let ((since, until), now) = (self.present.get(), Instant::now());
        if now >= until {
            self.had.set(self.had.get() + now.duration_since(since));
            self.held.take();
            // Turns are short, and those who wait few, as questions are.
            self.held.replace(turns.next(self.had.get()).blocking_recv().ok());
            let now = Instant::now();
            self.present.set((now, now + TURN));
        }
        !stopped.load(Ordering::Relaxed)
    }
}

/// Says that nobody waits any longer, when it is dropped.
#[derive(Default)]
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Lets others come between the steps of work that waits for nothing.
pub struct Breath(Instant);

impl Default for Breath {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Breath {
    /// To be taken between steps; others come only when the last breath was a while ago.
    pub async fn take(&mut self) {
        if self.0.elapsed() >= TURN {
            tokio::task::yield_now().await;
            self.0 = Instant::now();
        }
    }
}

/// Work the steps of which are taken in turn with others, once it has taken some time.
struct InTurn<F> {
    turns: Turnstile,
    /// What is left of the time in which it takes its steps at will.
    free: Duration,
    /// How long its turns have been so far.
    had: Duration,
    /// The turn that is waited for.
    next: Option<Receiver<Turn>>,
    work: Pin<Box<F>>,
}

impl<F> InTurn<F> {
    fn new(turns: &Turnstile, free: Duration, work: F) -> Self {
        Self { turns: turns.clone(), free, had: Duration::ZERO, next: None, work: Box::pin(work) }
    }
}

impl<F: Future> Future for InTurn<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { turns, free, had, next, work } = &mut *self;
        if !free.is_zero() {
            let began = Instant::now();
            let polled = work.as_mut().poll(context);
            *free = free.saturating_sub(began.elapsed());
            return polled;
        }
        let waiting = next.get_or_insert_with(|| turns.next(*had));
        let _turn = ready!(Pin::new(waiting).poll(context));
        *next = None;
        let began = Instant::now();
        let polled = work.as_mut().poll(context);
        *had += began.elapsed();
        polled
    }
}

impl Drop for CpuPool {
    /// Does not wait for what is still running.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Work whose sockets, timers and further tasks are those of the caller's runtime: only its steps run elsewhere.
struct AtHome<F> {
    home: Handle,
    work: Pin<Box<F>>,
}

impl<F: Future> Future for AtHome<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { home, work } = &mut *self;
        let _entered = home.enter();
        work.as_mut().poll(context)
    }
}

/// A task that is aborted when its handle is dropped.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc;

    #[tokio::test]
    async fn the_caller_is_free_while_work_holds_a_thread() {
        let cpu_pool = CpuPool::start();
        let (release, released) = mpsc::channel();
        let work = cpu_pool.run(async move { released.recv_timeout(Duration::from_secs(60)) });
        // On the only thread of this runtime: were the work done here, it would wait for what comes after it.
        let (done, ()) = tokio::join!(work, async move { release.send("done").unwrap() });
        assert_eq!(done, Ok("done"));
    }

    #[tokio::test]
    async fn timers_are_those_of_the_caller() {
        let slept = CpuPool::start().run(async { tokio::time::sleep(Duration::from_millis(5)).await }).await;
        assert_eq!(slept, ());
    }

    #[tokio::test]
    async fn who_is_late_is_not_waited_for_even_at_the_end() {
        let cpu_pool = CpuPool::start();
        let (held, hold) = mpsc::channel::<()>();
        let late = cpu_pool.within(Duration::from_millis(20), async move { hold.recv() }).await;
        assert!(late.is_none());
        let began = Instant::now();
        drop(cpu_pool);
        assert!(began.elapsed() < Duration::from_secs(30));
        drop(held);
    }

    /// Works until a moment is over, and says how much of its kind was done at once.
    struct Crowd {
        now: AtomicUsize,
        most: AtomicUsize,
        until: Instant,
    }

    impl Crowd {
        fn for_a_moment() -> Arc<Self> {
            let until = Instant::now() + 12 * FREE;
            Arc::new(Self { now: AtomicUsize::default(), most: AtomicUsize::default(), until })
        }

        /// A step; only those count that are done when work at will is long over.
        fn step(&self) {
            let late = Instant::now() + 6 * FREE > self.until;
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            std::thread::sleep(Duration::from_millis(1));
            self.now.fetch_sub(1, Ordering::SeqCst);
            if late {
                self.most.fetch_max(now, Ordering::SeqCst);
            }
        }

        fn is_over(&self) -> bool {
            Instant::now() >= self.until
        }
    }

    fn half() -> usize {
        (std::thread::available_parallelism().unwrap().get() / 2).max(1)
    }

    #[tokio::test]
    async fn what_takes_long_has_half_of_the_processors_and_others_come_between() {
        let (cpu_pool, crowd) = (CpuPool::start(), Crowd::for_a_moment());
        let long = join_all((0..8).map(|_| {
            let crowd = crowd.clone();
            cpu_pool.at_length(move |turns| {
                let mut steps = 0;
                while !crowd.is_over() && turns.goes_on() {
                    crowd.step();
                    steps += 1;
                }
                steps
            })
        }));
        let steps: Vec<u32> = long.await;
        assert!(steps.iter().all(|steps| *steps > 0), "{steps:?}");
        let most = crowd.most.load(Ordering::SeqCst);
        assert!((1..=half()).contains(&most), "{most} at once");
    }

    #[tokio::test]
    async fn steps_of_looks_and_of_long_tasks_have_half_of_the_processors() {
        for aside in [true, false] {
            let (cpu_pool, crowd) = (CpuPool::start(), Crowd::for_a_moment());
            let work = |crowd: Arc<Crowd>| async move {
                let mut breath = Breath::default();
                while !crowd.is_over() {
                    crowd.step();
                    breath.take().await;
                }
            };
            let mut works = Vec::new();
            for _ in 0..8 {
                let work = work(crowd.clone());
                works.push(if aside {
                    cpu_pool.aside(work).boxed()
                } else {
                    cpu_pool.in_turns(work).boxed()
                });
            }
            let all = join_all(works);
            // Meanwhile there are threads for others.
            let (_, other) = tokio::join!(all, cpu_pool.run(async { Instant::now() }));
            assert!(other < crowd.until);
            let most = crowd.most.load(Ordering::SeqCst);
            assert!((1..=half()).contains(&most), "{most} at once");
        }
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_told_to_end() {
        let cpu_pool = CpuPool::start();
        let (ended, end) = mpsc::channel();
        let work = cpu_pool.at_length(move |turns| {
            while turns.goes_on() {
                std::thread::sleep(Duration::from_millis(1));
            }
            ended.send(()).unwrap();
        });
        assert!(tokio::time::timeout(Duration::from_millis(20), work).await.is_err());
        end.recv_timeout(Duration::from_secs(60)).unwrap();
    }

    #[tokio::test]
    async fn a_panic_is_the_callers() {
        let panicked =
            tokio::spawn(async { CpuPool::start().run(async { panic!("in the work") }).await }).await;
        assert!(panicked.unwrap_err().is_panic());
    }
}
