// The boards and the verified questions with a page, where a graph has any.
import { boardWords } from "../i18n/boards";
import { boards } from "../net/boards";
import { useLoaded } from "./loaded";

const MOST = 12;

export function BoardLinks({ dataset }: { dataset: string }) {
  const { value = [] } = useLoaded(() => boards.list(dataset), [dataset]);
  if (value.length === 0) return null;
  return (
    <nav class="boards" aria-label={boardWords().boards}>
      <h2>{boardWords().boards}</h2>
      <ul class="examples">
        {value.slice(0, MOST).map(({ title, path }) => <li><a class="example" href={path}><bdi>{title}</bdi></a></li>)}
      </ul>
    </nav>
  );
}
