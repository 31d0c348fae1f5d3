// Parts of the page that are one step away from an answer: their file is loaded when the first of them is needed, or before.
import type { FunctionComponent } from "preact";
import { t } from "../i18n";
import type * as More from "../lazy/more";
import { Failed } from "./failure";
import { load } from "./load";
import { useLoaded } from "./loaded";

let more: typeof More | undefined;

export const loadMore = async (): Promise<typeof More> => (more = await load<typeof More>("more.js"));

/** A part by the time it is there; at once, where it has been loaded. */
function later<Needs extends object>(pick: (all: typeof More) => FunctionComponent<Needs>): FunctionComponent<Needs> {
  return (needs) => {
    const { error, again } = useLoaded(loadMore, []);
    if (error) return <Failed error={error} retry={again} />;
    if (!more) return <span class="soft">{t.loading} …</span>;
    const Part = pick(more);
    return <Part {...needs} />;
  };
}

export const ArticleCard = later((all) => all.ArticleCard);
export const BoardLinks = later((all) => all.BoardLinks);
export const Card = later((all) => all.Card);
export const ComputedCard = later((all) => all.ComputedCard);
export const Feedback = later((all) => all.Feedback);
export const Graph = later((all) => all.Graph);
export const GraphPage = later((all) => all.GraphPage);
export const History = later((all) => all.History);
export const LearnPage = later((all) => all.LearnPage);
export const Meant = later((all) => all.Meant);
export const Places = later((all) => all.Places);
export const QueryCard = later((all) => all.QueryCard);
export const TestPage = later((all) => all.TestPage);
export const Time = later((all) => all.Time);
export const Which = later((all) => all.Which);
export const Why = later((all) => all.Why);
