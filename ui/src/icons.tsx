// Icons as paths of lines in a box of 24.
const PATHS = {
  check: "M5 12.5l4.5 4.5L19 7.5",
  right: "M9 6l6 6-6 6",
  stop: "M7 7h10v10H7z",
  up: "M7 10v10H4V10zM7 10l4-7c1.5 0 2.5 1 2.5 2.5V9H19c1.2 0 2 1 1.8 2.2l-1.2 7A2.2 2.2 0 0 1 17.4 20H7",
  down: "M7 14V4H4v10zM7 14l4 7c1.5 0 2.5-1 2.5-2.5V15H19c1.2 0 2-1 1.8-2.2l-1.2-7A2.2 2.2 0 0 0 17.4 4H7",
  out: "M14 5h5v5M19 5l-8 8M18 14v5H5V6h5",
  close: "M6 6l12 12M18 6L6 18",
  clock: "M12 7v5l3.5 2M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18",
  graph: "M6 8.5a2.5 2.5 0 1 0 0-5a2.5 2.5 0 0 0 0 5M18 12.5a2.5 2.5 0 1 0 0-5a2.5 2.5 0 0 0 0 5M8 20.5a2.5 2.5 0 1 0 0-5a2.5 2.5 0 0 0 0 5M8.4 7l7.2 2.3M16.2 11.7L9.8 16.3M6.3 8.5L7.6 15.5",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  warn: "M12 4l9 16H3zM12 10v4.5M12 17.3v.2",
  sort: "M8 9l4-4 4 4M8 15l4 4 4-4",
} as const;

/** An icon that says nothing to screen readers; what it stands beside or its button's name does. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d={PATHS[name]} /></svg>;
}
