// Parts of the page that are one step away from an answer, in a file of their own; `parts/later.tsx` shows them.
export { openBoard } from "../pages/board";
import "../i18n/later";
export { GraphPage } from "../pages/graph";
export { LearnPage } from "../pages/learn";
export { TestPage } from "../pages/testset";
export { ArticleCard } from "../parts/article";
export { BoardLinks } from "../parts/boardlinks";
export { ComputedCard } from "../parts/computed";
export { Feedback } from "../parts/feedback";
export { History } from "../parts/history";
export { Meant } from "../parts/meant";
export { QueryCard } from "../parts/query";
export { Which } from "../parts/which";
export { Why } from "../parts/why";
export { Card } from "../views/card";
export { Graph } from "../views/graph";
export { Places } from "../views/map";
export { Time } from "../views/time";
