// The shapes of the interface, made from openapi.yaml by `npm run types`.

export interface components {
    schemas: {
        /**
         * @description Why an answer is not known to be right.
         * @enum {string}
         */
        AgainReason: "other" | "unjudged" | "same" | "gold" | "none";
        /** @description Another reading of the question. */
        Alternative: {
            choice?: components["schemas"]["Choice"] | null;
            /** @description Its query. */
            query: string;
            /** @description How the question was read, in words. */
            reading: string;
            /** @description Rows that it returned. */
            rows: number;
        };
        /** @description An answer in words. */
        Answer: {
            /** @description `reading` when it is made of the reading and the rows, `model` when a chat model wrote it. */
            by: string;
            /** @description `answer`, `empty`, `not_in_graph` or `doubt`. */
            kind: string;
            /** @description Its language. */
            lang: string;
            /** @description The same in parts. */
            parts: components["schemas"]["PartOfText"][];
            /** @description The whole text. */
            text: string;
            /** @description Names in a model's text that are in no verified row. */
            unverified: string[];
        };
        /**
         * @description How long an answer in words is.
         * @enum {string}
         */
        AnswerStyle: "short" | "article";
        /**
         * @description Who stated the query.
         * @enum {string}
         */
        AnsweredBy: "agent" | "planner" | "verified";
        /** @description An answer with sections and sources. It is made of the graph and of texts beside it, not by a model. */
        Article: {
            /** @description Its language. */
            lang: string;
            /** @description The answer in a few sentences. A sentence without a source says nothing of the graph. */
            lead: components["schemas"]["ArticleLine"][];
            /** @description Further things of the answer. */
            more_things?: number;
            /** @description What belongs to no thing: the statements that support an answer without things, and what texts say. */
            sections: components["schemas"]["ArticleSection"][];
            /** @description What the lines rest on; they refer to them by their places, from 1. At most 60. */
            sources: components["schemas"]["ArticleSource"][];
            /** @description The first things of the answer, at most three. */
            things: components["schemas"]["ArticleThing"][];
            /** @description The name of the thing that it is about, or the question as it was understood. */
            title: string;
        };
        /** @description A sentence, or a property with its values. */
        ArticleLine: {
            /** @description Further sources, which are not listed. */
            more_sources?: number;
            /** @description The text in parts. */
            parts: components["schemas"]["PartOfText"][];
            /** @description What it rests on: places in `sources`, from 1. */
            sources: number[];
        };
        /** @description A picture. */
        ArticlePicture: {
            /** @description Its address. */
            address: string;
            /** @description The source that names it, from 1. */
            source: number;
            /** @description What it shows. */
            title: string;
        };
        /** @description Lines under a heading. */
        ArticleSection: {
            /** @description Its heading. */
            heading: string;
            /** @description What it tells: `identity`, `people`, `places`, `times`, `measures`, `links`, `identifiers`, `media`, `statements` or `texts`. */
            kind: string;
            /** @description Its lines, at most eight. */
            lines: components["schemas"]["ArticleLine"][];
            /** @description Lines that were left out. */
            more?: number;
        };
        /** @description What a line rests on. */
        ArticleSource: {
            /** @enum {string} */
            kind: "triple";
            /** @description The property. */
            property: components["schemas"]["ShownTerm"];
            /** @description What it is about. */
            subject: components["schemas"]["ShownTerm"];
            /** @description The value. */
            value: components["schemas"]["ShownTerm"];
        } | {
            /** @enum {string} */
            kind: "passage";
            /** @description The passage, and where it stands. */
            passage: components["schemas"]["Citation"];
        } | {
            /** @enum {string} */
            kind: "query";
            /** @description The query. */
            query: string;
        };
        /** @description What an article says of a thing. */
        ArticleThing: {
            /** @description Whether the graph says more of it than was read. */
            cut?: boolean;
            /** @description Where it lives: an address of the web. */
            href?: string | null;
            /** @description The address of a page on which the thing can be corrected. */
            improve?: string | null;
            /** @description The IRI. */
            iri: string;
            /** @description Properties in sections that were left out. */
            more?: number;
            /** @description Pictures that were left out. */
            more_pictures?: number;
            /** @description Its name. */
            name: string;
            /** @description Pictures of it. */
            pictures?: components["schemas"]["ArticlePicture"][];
            /** @description What is said of it, by kind; at most seven. */
            sections: components["schemas"]["ArticleSection"][];
        };
        /**
         * @description A question with how it is to be answered.
         * @example {
         *       "dataset": "demo",
         *       "question": "What is the capital of France?"
         *     }
         */
        Ask: {
            /**
             * @description Whether other readings are returned.
             * @default true
             */
            alternatives: boolean;
            /**
             * @description Whether the answer is also given in words.
             * @default true
             */
            answer: boolean;
            /**
             * @description Whether each sentence of the answer comes with the triples that support it (`claims` of the run). Looking them up takes
             *     up to 5 s more.
             */
            claims?: boolean;
            /**
             * @description The dataset's id or one of its aliases; see /datasets. Where there is one dataset alone, it need not be named. `auto` for the
             *     one that has names for most words of the question.
             */
            dataset?: string | null;
            /**
             * Format: double
             * @description Seconds for the question; at most what is configured.
             */
            deadline_seconds?: number | null;
            /** @description What was asked before, the newest last; so that "And in Italy?" is a question. */
            history?: components["schemas"]["Past"][];
            /** @description The language of labels and words, as a tag like `de`; that of the question without it. */
            lang?: string | null;
            /**
             * @description What words of this question mean to its reader, in place of what they would mean; for this question alone. What the graph
             *     does not have is left out, and a step says so.
             */
            meanings?: components["schemas"]["Correction"][];
            /**
             * @description Properties, by IRI, that are meant where another would do as well: those that the reader chose before, from `choice` of
             *     an alternative.
             */
            prefers?: string[];
            /** @description The question in plain language. */
            question: string;
            /** @description The language of the reader, for a question that does not tell its own: a name alone, say. */
            reader?: string | null;
            /** @description `article` for an answer with sections and sources besides the short one (`article` of the run). It takes up to 20 s more. */
            style?: components["schemas"]["AnswerStyle"];
            /**
             * @description Whether it is a test of what Eruca finds by itself: verified questions that are nearly this one are left out, and no earlier
             *     answer is taken.
             */
            test?: boolean;
        };
        /** @description A question of the test set, asked again. */
        AskedAgain: {
            /** @description The answer. */
            answer: components["schemas"]["TrialAnswer"];
            /** @description The id of the question. */
            id: string;
            reason?: components["schemas"]["AgainReason"] | null;
            /** @description Whether its answer is right: its result is that of the right query. */
            right: boolean;
        };
        /** @description Words of the question and the part of the query that they stand for. */
        Because: {
            /** @description The name of the class, property, thing or value; absent where the words ask for a form of the query. */
            name?: string | null;
            /** @description The part: `term`, `thing`, `value`, `comparison`, `order`, `count`, `computed`, `negation`, `alternatives`, `group`, `form`. */
            part: string;
            /**
             * @description The right: `glossary` (the owner of the graph says so), `exact`, `lemma`, `synonym`, `translation`, `type`, `dimension`,
             *     `form`; no proof by themselves are `name-part`, `related`, `typo`, `outdone`.
             */
            right: string;
            /** @description Both in a sentence. */
            text: string;
            /** @description The words. */
            words: string;
        };
        /** @description How reliable an answer is. */
        Belief: {
            /** @description The probability as a word. */
            name: components["schemas"]["Confidence"];
            /**
             * Format: double
             * @description The probability that the answer is exactly right, from 0 to 1.
             */
            probability: number;
        };
        /** @description A name that can be chosen. */
        BoardCandidate: {
            /** @description What else is known of it. */
            about?: string | null;
            /** @description What it is called. */
            label: string;
            /** @description What stands for it in the address: its name, or its IRI where others are called so. */
            value: string;
        };
        /** @description Names that can be chosen. */
        BoardCandidates: {
            /** @description The best first. */
            candidates: components["schemas"]["BoardCandidate"][];
        };
        /** @description A name that was chosen. */
        BoardChoice: {
            /** @description What it is called. */
            label: string;
            /** @description Its name in the address. */
            name: string;
            /** @description Whether it is another one than in the verified question. */
            other: boolean;
            /** @description What stands for it in the address. */
            value: string;
        };
        /** @description A page that can be opened. */
        BoardLink: {
            /** @description The dataset that it is about. */
            dataset: string;
            /** @description The name in the address. */
            name: string;
            /** @description Where it is: a path of this service. */
            path: string;
            /** @description How many questions are on it. */
            questions: number;
            /** @description The title of a board; the question of a page of its own. */
            title: string;
        };
        /** @description A page with verified questions, as yet without their results. */
        BoardPage: {
            /** @description Names on it that no question has. */
            missing?: string[];
            /** @description The name or the names in the address. */
            name: string;
            /** @description The questions on it. */
            questions: components["schemas"]["BoardQuestion"][];
            /** @description The title of a board. */
            title?: string | null;
        };
        /** @description A name in a question that can be chosen. */
        BoardParameter: {
            /** @description Its name in the address. */
            name: string;
            /** @description Whether it is a number, of which there are no candidates. */
            number: boolean;
            /** @description The name as it stands in the question. */
            verified: string;
        };
        /** @description A verified question on a page. */
        BoardQuestion: {
            /** @description When, as YYYY-MM-DD. */
            at: string;
            /** @description Who has verified it. */
            by: string;
            /** @description What its owner says of it. */
            comment?: string | null;
            /** @description The id of its dataset. */
            dataset: string;
            /** @description Whether the query counts or groups. */
            grouped: boolean;
            /** @description The language of the question, if it is known. */
            lang?: string | null;
            /** @description The name. */
            name: string;
            /** @description The names in it that can be chosen. */
            parameters: components["schemas"]["BoardParameter"][];
            /** @description The question as it was verified. */
            question: string;
            /**
             * Format: int64
             * @description After how many seconds a page asks for the result again; absent where it does not.
             */
            refresh?: number | null;
            /** @description The view that its owner wants. */
            view?: string | null;
        };
        /** @description The result of a verified question. */
        BoardResult: {
            /** @description The id of its dataset. */
            dataset: string;
            /** @description When the query was run (RFC 3339). */
            made_at: string;
            /** @description Why parts of the graph may be missing. */
            missing?: string[];
            /** @description The name. */
            name: string;
            /** @description The names that were chosen. */
            parameters: components["schemas"]["BoardChoice"][];
            /** @description The question with the names that were chosen. */
            question: string;
            /** @description The rows, as the page of a run has them. */
            rows: components["schemas"]["Rows"];
            stale?: components["schemas"]["ErrorBody"] | null;
        };
        /** @description The pages that there are. */
        Boards: {
            /** @description Boards first, then single questions. */
            boards: components["schemas"]["BoardLink"][];
        };
        /** @description What a graph is made of. */
        Card: {
            /** @description What it is about, in a sentence; empty where it has no classes. */
            about: string;
            /** @description When the index was built (RFC 3339). */
            built_at?: string | null;
            /** @description Classes with instances, the most used first. */
            classes: components["schemas"]["Class"][];
            /**
             * Format: int64
             * @description Indexed entities.
             */
            entities: number;
            /** @description Questions that it answers, at most six. */
            examples: string[];
            /** @description Whether further questions are still being made: ask again in a few seconds. */
            examples_pending: boolean;
            /** @description The id of the dataset. */
            id: string;
            /** @description Languages of its texts, the most frequent first. */
            languages: components["schemas"]["LanguageShare"][];
            /** @description Its name for people. */
            name: string;
            /** @description What its owner says of it, in sentences. */
            notes?: string[];
            /** @description Properties, the most used first. */
            properties: components["schemas"]["Property"][];
            /** @description Its largest classes and what connects them. */
            schema: components["schemas"]["Schema"];
            /**
             * Format: int64
             * @description Triples seen when the index was built.
             */
            triples: number;
        };
        /** @description A question whose answer changes. */
        Change: {
            /** @description The answer with the proposal. */
            after: components["schemas"]["TrialAnswer"];
            /** @description The answer now. */
            before: components["schemas"]["TrialAnswer"];
            /** @description The question. */
            question: string;
            verified?: components["schemas"]["VerifiedChange"] | null;
        };
        /** @description An answer. */
        ChatChoice: {
            /** @description `stop`. */
            finish_reason?: string | null;
            /**
             * Format: int32
             * @description Always 0.
             */
            index: number;
            /** @default null */
            logprobs: unknown;
            /** @description The message. */
            message: components["schemas"]["ChatSaid"];
        };
        /** @description A whole answer. */
        ChatCompletion: {
            /** @description The one answer. */
            choices: components["schemas"]["ChatChoice"][];
            /** @description The sentences of the answer with what supports them, where the request asked for `claims`. */
            claims?: components["schemas"]["Claim"][];
            /**
             * Format: int64
             * @description When it was made, in seconds since 1970.
             */
            created: number;
            /** @description Its name; for the answer to a question it contains the name of the run. */
            id: string;
            /** @description The model as the request named it. */
            model: string;
            /** @description Always `chat.completion`. */
            object: string;
            /** @description Tokens of the chat model that answered; zeros without one. */
            usage: components["schemas"]["ChatUsage"];
        };
        /**
         * @description A conversation whose last question is to be answered.
         * @example {
         *       "model": "demo",
         *       "messages": [
         *         {
         *           "role": "user",
         *           "content": "What is the capital of France?"
         *         }
         *       ]
         *     }
         */
        ChatCompletionRequest: {
            /**
             * @description Whether each sentence of the answer comes with the triples that support it, beyond OpenAI's API: as `claims` beside
             *     `choices`, of a stream in the run alone (`/runs/{id}`).
             */
            claims?: boolean | null;
            /** @description The conversation. The last message of the user is the question; those before it are what was asked before. */
            messages: components["schemas"]["ChatMessage"][];
            /** @description The id of a model: a dataset's id or one of its aliases. */
            model: string | null;
            /**
             * Format: int64
             * @description Answers wanted; there is never more than one.
             */
            n?: number | null;
            /** @description The form of the answer, by which requests for titles are known. */
            response_format?: Record<string, never> | null;
            /** @description Whether the answer comes piece by piece, as server-sent events. */
            stream?: boolean | null;
            stream_options?: components["schemas"]["ChatStreamOptions"] | null;
            style?: components["schemas"]["AnswerStyle"] | null;
            /** @description The function that must be called. */
            tool_choice?: Record<string, never> | null;
            /** @description Functions of the client: they are never called, except those that front ends use to request titles. */
            tools?: Record<string, never>[] | null;
        };
        /** @description The message. */
        ChatContent: string | components["schemas"]["ChatContentPart"][];
        /** @description A part of a message. */
        ChatContentPart: {
            /** @description The text. */
            text?: string | null;
            /** @description What it is; questions are of `text` alone. */
            type: string;
        };
        /** @description A function with its arguments. */
        ChatFunction: {
            /** @description Its arguments, as JSON. */
            arguments: string;
            /** @description Its name. */
            name: string;
        };
        /** @description A message of a conversation. */
        ChatMessage: {
            content?: components["schemas"]["ChatContent"] | null;
            /** @description Who says it: `user`, `assistant`, `system`, ... */
            role: string;
        };
        /** @description More of the tokens of prompts. */
        ChatPromptTokens: {
            /**
             * Format: int64
             * @description Those that the model's server had in its cache.
             */
            cached_tokens: number;
        };
        /** @description What is said, or a piece of it. */
        ChatSaid: {
            /** @description The answer in Markdown. */
            content?: string | null;
            /** @description The steps to it, in Markdown. */
            reasoning_content?: string | null;
            /** @description Always `assistant`; of a stream in the first piece. */
            role?: string | null;
            /** @description The call of a function that had to be called. */
            tool_calls?: components["schemas"]["ChatToolCall"][] | null;
        };
        /** @description What else a stream contains. */
        ChatStreamOptions: {
            /** @description Whether the last chunk has the numbers of tokens. */
            include_usage?: boolean | null;
        };
        /** @description The call of a function. */
        ChatToolCall: {
            /** @description The function. */
            function: components["schemas"]["ChatFunction"];
            /** @description Its name. */
            id: string;
            /**
             * Format: int32
             * @description Its place.
             */
            index: number;
            /** @description Always `function`. */
            type: string;
        };
        /** @description Tokens. */
        ChatUsage: {
            /**
             * Format: int64
             * @description Of the completions.
             */
            completion_tokens: number;
            /**
             * Format: int64
             * @description Of the prompts.
             */
            prompt_tokens: number;
            /** @description More of the prompts. */
            prompt_tokens_details: components["schemas"]["ChatPromptTokens"];
            /**
             * Format: int64
             * @description Of both.
             */
            total_tokens: number;
        };
        /** @description Two properties of which either may be meant. */
        Choice: {
            /** @description The one of the other reading; sent as `prefers` of /ask, it goes before. */
            instead: components["schemas"]["Chosen"];
            /** @description The one of the answer. */
            taken: components["schemas"]["Chosen"];
        };
        /** @description A property with its name for the reader. */
        Chosen: {
            /** @description The IRI. */
            iri: string;
            /** @description The name. */
            name: string;
        };
        /** @description A passage of a text that says something of a question. It is no part of the graph, and no query has shown it. */
        Citation: {
            /** @description The name of the document's file. */
            file?: string | null;
            /** @description The heading above the passage. */
            heading?: string | null;
            /** @description Its name. */
            name: string;
            /**
             * Format: int32
             * @description The page, from 1, where the document has pages.
             */
            page?: number | null;
            /** @description The passage that they are from. */
            passage: string;
            property?: components["schemas"]["NamedIri"] | null;
            /** @description The sentences that fit the question. */
            quote: string;
            subject?: components["schemas"]["NamedIri"] | null;
            /** @description The things that the passage names. */
            things: components["schemas"]["NamedIri"][];
            /** @description The document's title; absent for a literal of the graph. */
            title?: string | null;
        };
        /** @description A sentence of an answer in words with what was found in the graph for it. */
        Claim: {
            /** @description Of a number over many: the solutions that it was counted or reckoned over. The triples are then some of theirs. */
            counted?: number | null;
            /** @description Further triples that do. */
            more?: number;
            /** @description The rows that it speaks of, from 0; at most five. */
            rows?: number[];
            /** @description What was found for it. */
            support: components["schemas"]["ClaimSupport"];
            /** @description Whether what was found supports all of it; absent where there is nothing to support, or there was no time to look. */
            supported?: boolean | null;
            /** @description The sentence. */
            text: string;
            /** @description The triples of the graph that make these rows results: subject, predicate, object; at most 20. */
            triples?: components["schemas"]["ShownTerm"][][];
            /** @description Names and numbers in the sentence that are in no row and in no triple. */
            unverified?: string[];
        };
        /**
         * @description What was found for a sentence.
         * @enum {string}
         */
        ClaimSupport: "triples" | "count" | "absence" | "computed" | "none" | "late" | "remark";
        /** @description What supports the sentences of an answer. */
        Claims: {
            /** @description The sentences in order; none where there is no answer in words. */
            claims: components["schemas"]["Claim"][];
        };
        /** @description Which of several properties is meant that may be meant alike. */
        Clarify: {
            /** @description Whether the reader has chosen that of the answer (`prefers` of /ask): then nothing needs to be asked. */
            chosen: boolean;
            /** @description The properties, that of the answer first; two or more, no two with the same label. */
            options: components["schemas"]["ClarifyOption"][];
            /** @description The question, in the language of the answer. */
            text: string;
        };
        /** @description A property that may be meant, with what the run is with it. */
        ClarifyOption: {
            /** @description The IRI; sent as `prefers` of /ask, this property goes before the others. */
            iri: string;
            /** @description The name for the reader. */
            label: string;
            /** @description The query with it. */
            query: string;
            /** @description How the question is read with it, in words. */
            reading: string;
            /** @description Rows that it returned. */
            rows: number;
        };
        /** @description A class. */
        Class: {
            /**
             * Format: int64
             * @description Instances, including those of its subclasses.
             */
            count: number;
            /** @description Its best known instances. */
            examples: components["schemas"]["NamedIri"][];
            /** @description The IRI. */
            iri: string;
            /** @description Its name. */
            label: string;
            /** @description What the owner of the graph says of it, in sentences. */
            notes?: string[];
            /** @description What its instances have, the most frequent first. */
            properties: components["schemas"]["ClassProperty"][];
        };
        /** @description A property of the instances of a class. */
        ClassProperty: {
            /** @description The IRI. */
            iri: string;
            /** @description What its values are, in the words of the columns of results. */
            kind: string;
            /** @description Its name. */
            label: string;
            /**
             * Format: double
             * @description The share of the instances that have it, from 0 to 1.
             */
            share: number;
        };
        /** @description A column. */
        Column: {
            /** @description What it contains: `thing`, `number`, `year`, `month`, `date`, `text`, `boolean`, `coordinates`, `picture` or `link`. */
            kind: string;
            /** @description The variable. */
            name: string;
            /** @description What it is called. */
            title: string;
            /** @description The unit of its numbers. */
            unit?: string | null;
        };
        /** @description Whether two queries give the same. */
        Compared: {
            /** @description The first of them. */
            first: string[];
            /** @description How many rows the other query gives. */
            rows: number;
            /** @description Whether the results are the same: all rows and none in excess; further columns do not count. */
            same: boolean;
        };
        /** @description A query whose result is compared with that of an answer. */
        Comparison: {
            /** @description The query. */
            query: string;
            /** @description The run with the answer. */
            run: string;
        };
        /** @description A term that can stand at the cursor. */
        Completion: {
            /** @description Its IRI; absent for a literal. */
            iri?: string | null;
            /** @description `entity`, `class` or `property`; absent for a literal. */
            kind?: string | null;
            /** @description Its name in the reader's language; the text of a literal. */
            label: string;
            /**
             * Format: int64
             * @description Solutions of the triple patterns around with it.
             */
            solutions: number;
            /** @description The term as the query can have it: with a prefix that it declares or that needs no declaration, else in full. */
            term: string;
        };
        /** @description What can stand at the cursor of a query that is being written. */
        Completions: {
            /** @description Best first; none where the text around cannot be read, nothing fits, or the endpoint takes too long. */
            completions: components["schemas"]["Completion"][];
            /** @description Solutions were counted among so many only, as there are too many of them. */
            counted_among?: number | null;
        };
        /** @description The result of a program that a model wrote over the rows of its queries, with all that is needed to check it. */
        Computed: {
            /** @description The names of the columns; `value` for a single value or a list of values. */
            columns: string[];
            /** @description Whether there were more rows than are kept. */
            cut: boolean;
            /** @description The results that it read. */
            inputs: components["schemas"]["ComputedInput"][];
            /** @description The names of the entities in the rows, by IRI. */
            names?: {
                [key: string]: string;
            };
            /** @description What the program printed, line by line. */
            printed?: string[];
            /** @description The program, in Lua 5.4. */
            program: string;
            /** @description The rows; each has a value per column. */
            rows: components["schemas"]["ComputedValue"][][];
        };
        /** @description A result that a program read. */
        ComputedInput: {
            /** @description Whether it comes from the working graph of the question and not from the dataset. */
            from_memory?: boolean;
            /** @description Whether rows are missing in it, so that what was computed may be wrong. */
            incomplete?: boolean;
            /** @description Its name in the program. */
            name: string;
            /** @description The query that returned it. */
            query: string;
            /** @description Its number of rows. */
            rows: number;
        };
        /** @description A value that a program returned; `null` for nothing. */
        ComputedValue: boolean | number | string | unknown;
        /**
         * @description How reliable an answer is.
         * @enum {string}
         */
        Confidence: "sure" | "likely" | "guess";
        /**
         * @description Words of a question with what they mean in the graph.
         * @example {
         *       "words": "chief town",
         *       "meaning": {
         *         "iri": "https://eruca.dev/demo/ontology#capital"
         *       }
         *     }
         */
        Correction: {
            /** @description What they mean. */
            meaning: components["schemas"]["Meaning"];
            /** @description The words: up to six. None, as an empty text, where a property is preferred. */
            words: string;
        };
        /** @description A dataset. */
        Dataset: {
            /** @description Further ids. */
            aliases: string[];
            /**
             * Format: int64
             * @description Classes, declared or used.
             */
            classes: number;
            /** @description The endpoint's engine as it was recognised, by its name in the setting `dialect`; "plain" while it is not known. */
            dialect: string;
            /** @description Where queries run: the endpoint's URL or "embedded store". */
            endpoint: string;
            /**
             * Format: int64
             * @description Indexed entities.
             */
            entities: number;
            /** @description The id by which questions address it. */
            id: string;
            /** @description Languages of the labels, most frequent first. */
            languages: string[];
            /** @description The name for people. */
            name: string;
            /**
             * Format: int64
             * @description Properties, declared or used.
             */
            properties: number;
            /** @description How classes and properties are searched. */
            schema_search: string;
            /** @description How the texts beside the graph are searched, where there are any. */
            text_search?: string | null;
            /**
             * Format: int64
             * @description Triples seen when the index was built.
             */
            triples: number;
        };
        /** @description A dataset by its names. */
        DatasetName: {
            /** @description Further ids. */
            aliases: string[];
            /** @description The id by which questions address it. */
            id: string;
            /** @description The name for people. */
            name: string;
        };
        /** @description The datasets that can be asked. */
        Datasets: {
            /** @description Every dataset, in the order of the configuration. */
            datasets: components["schemas"]["Dataset"][];
        };
        /** @description What became of a proposal. */
        Decided: {
            /** @description Whether it was accepted. */
            accepted: boolean;
            /** @description The name of the file that it is written into, if it was. */
            file?: string | null;
            /** @description The proposal. */
            id: string;
        };
        /**
         * @description What the owner decides.
         * @example {
         *       "accept": true
         *     }
         */
        Decision: {
            /** @description Whether it is accepted; a rejected one is not proposed again. */
            accept: boolean;
            /** @description Who decides, if no key tells. */
            by?: string | null;
            /** @description Another entry in its place, in TOML. */
            entry?: string | null;
            /** @description Whether it is accepted although verified questions break. */
            force?: boolean;
        };
        /** @description Something that nothing accounts for. */
        Doubt: {
            /** @description The words of the question or the name that it is about; empty where it is about the answer. */
            about: string;
            /**
             * @description The kind: `unused`, `weak`, `form`, `dimension`, `turned`, `unsaid`, `not-returned`, `narrow`, `nameless`, `empty`, `rival`;
             *     of a model's answer also `unsure`, `not-run`, `stopped`, `tie`, `partial`, `cut`, `computed`.
             */
            kind: string;
            /** @description Both in a sentence. */
            text: string;
        };
        /** @description A query without one of its conditions. */
        Dropped: {
            /** @description The condition, in words. */
            condition: string;
            /** @description The query without it. */
            query: string;
            /** @description Rows that it returns. */
            rows: number;
        };
        /** @description Why a query returned nothing. */
        Empty: {
            /** @description Conditions without which there are rows. */
            drop: components["schemas"]["Dropped"][];
            /** @description The reason, in words. */
            reason: string;
        };
        /** @description What a graph says about a thing. */
        Entry: {
            /** @description Its classes. */
            classes: components["schemas"]["ShownTerm"][];
            /** @description Latitude and longitude. */
            coordinates?: number[] | null;
            /** @description A description. */
            description?: string | null;
            /** @description What the graph says about it. */
            facts: components["schemas"]["Fact"][];
            /** @description Where it lives: an address of the web. */
            href?: string | null;
            /** @description The address of a page on which the thing can be corrected. */
            improve?: string | null;
            /** @description What refers to it, by property. */
            incoming: components["schemas"]["Fact"][];
            /** @description The IRI. */
            iri: string;
            /** @description Its name. */
            label: string;
            /** @description The address of a picture. */
            picture?: string | null;
            /** @description Sounds and films of it. */
            recordings?: components["schemas"]["Recording"][];
        };
        /** @description Any other error. */
        ErrorBody: {
            /** @description What may be meant by it. */
            candidates?: components["schemas"]["BoardCandidate"][];
            /** @description What happened, for programs: `unknown_dataset`, `overloaded`, `endpoint_down`, ... */
            code: string;
            /** @description The column there, from 1. */
            column?: number | null;
            /** @description The ids that exist, when an unknown dataset was requested. */
            datasets?: string[] | null;
            /** @description What happened and what to do, in words for people. */
            detail: string;
            /** @description The line of a query that cannot be parsed, from 1. */
            line?: number | null;
            /** @description The parameter of a verified question's page whose value is wrong. */
            parameter?: string | null;
        };
        /** @description A part of a query in words. */
        Explained: {
            /** @description The part. */
            sparql: string;
            /** @description What it says. */
            words: string;
        };
        /** @description A property with values. */
        Fact: {
            /** @description Further ones. */
            more: number;
            /** @description The property. */
            property: components["schemas"]["ShownTerm"];
            /** @description Some of its values. */
            values: components["schemas"]["ShownTerm"][];
        };
        /** @description A report on an answer. */
        Feedback: {
            /** @description The reader's comment, at most 2,000 characters. */
            comment?: string | null;
            correction?: components["schemas"]["Correction"] | null;
            /** @description Whether the answer is right. */
            good: boolean;
            /** @description The query that would have been right; one that cannot be run is refused. Of a wrong answer it becomes a proposal for a verified question. */
            query?: string | null;
            /** @description The run that is reported on. */
            run: string;
        };
        /** @description Wrong parameters, in the form of FastAPI's 422 responses. */
        HTTPValidationError: {
            /** @description Every parameter that is wrong. */
            detail: components["schemas"]["ValidationError"][];
        };
        /** @description That the service is alive. */
        Health: {
            /** @description What is off or replaced by something weaker, in words for people; absent without a key for it. */
            degraded?: string[] | null;
            /** @description Always "ok": otherwise the service does not answer. */
            status: string;
            /** @description The version of Eruca. */
            version: string;
        };
        /** @description Something that a text may name. */
        Hit: {
            /** @description The names of its classes. */
            classes?: string[];
            /** @description A short description. */
            description?: string | null;
            /** @description The IRI; of a value, that of its property. */
            iri: string;
            /** @description `entity`, `class`, `property` or `value`. */
            kind: string;
            /** @description Its name in the reader's language; the text of a value. */
            label: string;
            /** @description The other name that matched, where it is not the label. */
            matched?: string | null;
            /** @description The name of the property that has the value. */
            property?: string | null;
        };
        /** @description What a text may name. */
        Hits: {
            /** @description Best first. */
            hits: components["schemas"]["Hit"][];
        };
        /** @description What is known of an answer, the planner's or the agent's. */
        Insight: {
            /** @description IRIs of the things that the question names without asking anything else about them: the answer is what is said of them. */
            about?: string[];
            /** @description Other readings with other results, the likeliest first. */
            alternatives: components["schemas"]["Alternative"][];
            /** @description The words of the question with what they stand for in the query, in their order. */
            because?: components["schemas"]["Because"][];
            /** @description How reliable the answer is. */
            confidence: components["schemas"]["Confidence"];
            /** @description What keeps the answer from being proven. A planner's answer with any is never `sure`; a model's is when enough else speaks for it. */
            doubts?: components["schemas"]["Doubt"][];
            /** @description Names in the question that the graph does not know. */
            not_found: string[];
            /**
             * Format: double
             * @description The probability that it is exactly right, from 0 to 1.
             */
            probability: number;
            /** @description How the question was read, in words; of a model's query all of its conditions. */
            reading: string;
            /** @description Words of the question that were not used in the query. */
            unused: string[];
        };
        /** @description What was judged, and the score with it. */
        JudgedNow: {
            score?: components["schemas"]["TestScore"] | null;
            /** @description The question. */
            test: components["schemas"]["JudgedTest"];
        };
        /** @description A question that has been judged. */
        JudgedTest: {
            /** @description Who judged. */
            by: string;
            /** @description How reliable the answer was said to be. */
            confidence?: string | null;
            /** @description How it is built. */
            construct: string;
            /** @description When, as YYYY-MM-DD. */
            date: string;
            /** @description Its id. */
            id: string;
            /** @description Whether the right query is known. */
            known: boolean;
            /** @description The tag of its language, if it is known. */
            lang?: string | null;
            /** @description The question. */
            question: string;
            /** @description Whether the answer was right. */
            right: boolean;
        };
        /**
         * @description What a person says of an answer.
         * @example {
         *       "run": "0123456789abcdef0123456789abcdef",
         *       "right": true
         *     }
         */
        Judgement: {
            /** @description Who judges, if no key tells. */
            by?: string | null;
            /** @description How the question is built, as the proposal says. */
            construct?: string | null;
            /** @description The id of the proposal, whose wording may have been changed; without it the question is one's own. */
            id?: string | null;
            /** @description The right query for a wrong answer. */
            query?: string | null;
            /** @description Whether it is right. */
            right: boolean;
            /** @description The run with the answer. */
            run: string;
        };
        /** @description A language of a graph's texts. */
        LanguageShare: {
            /**
             * Format: double
             * @description The share of all texts, from 0 to 1.
             */
            share: number;
            /** @description The tag. */
            tag: string;
        };
        /** @description A thing that a text may name. */
        Link: {
            /** @description Its classes. */
            classes: components["schemas"]["NamedIri"][];
            /** @description Its IRI. */
            iri: string;
            /** @description Its name in the reader's language. */
            label: string;
            /** @description `exact`, `alias` or `fuzzy`. */
            match: string;
            /** @description The name that matched. */
            matched: string;
            /**
             * Format: double
             * @description How near its nearest name is: 1 for its name itself, 0.95 for another of its names, less for a name that is spelt alike.
             */
            score: number;
        };
        /** @description A text, and what it names an instance of. */
        LinkText: {
            /** @description A class: its IRI, its prefixed name or its name. Instances of its subclasses count as well. */
            class?: string | null;
            /** @description The text. */
            text: string;
        };
        /** @description What was found for a text. */
        Linked: {
            /** @description Things with that name, best first; empty when there is none. Namesakes have one score, and the best known comes first. */
            links: components["schemas"]["Link"][];
            literal?: components["schemas"]["LiteralValue"] | null;
            /** @description The text. */
            text: string;
        };
        /** @description What the texts name, in their order: those of `texts` first, then those of `items`. */
        LinkedTexts: {
            /** @description Each text with what was found. */
            texts: components["schemas"]["Linked"][];
        };
        /**
         * @description Texts whose things are searched: `texts` alone, or `items` with their classes.
         * @example {
         *       "dataset": "demo",
         *       "texts": [
         *         "Paris",
         *         "1990-03-02"
         *       ]
         *     }
         */
        Linking: {
            /** @description The dataset's id or one of its aliases. */
            dataset: string;
            /** @description Texts with what they name. */
            items?: components["schemas"]["LinkText"][];
            /** @description The language of labels. */
            lang?: string | null;
            /**
             * @description Links wanted of each text: 1 to 20.
             * @default 5
             */
            limit: number;
            /** @description Texts, each with up to 200 characters; with `items` at most 100. */
            texts?: string[];
        };
        /** @description A value that a text writes. */
        LiteralValue: {
            /** @description The datatype's IRI. */
            datatype: string;
            /** @description `number`, `date`, `month`, `year` or `boolean`. */
            kind: string;
            /** @description As a literal of the datatype is written. */
            value: string;
        };
        /** @description A term of the graph: a class, a property or a thing by its IRI, or a value with its property. */
        Meaning: {
            /** @description The IRI; of a value, that of its property may stand here. */
            iri?: string | null;
            kind?: components["schemas"]["MeantKind"] | null;
            /** @description The IRIs of properties that are not meant, where `iri` is preferred. */
            over?: string[];
            /** @description The IRI of a value's property. */
            property?: string | null;
            /** @description The text of a value. */
            value?: string | null;
        };
        /**
         * @description What words mean.
         * @enum {string}
         */
        MeantKind: "class" | "property" | "thing" | "value" | "prefer";
        /** @description A dataset as a model. */
        Model: {
            /**
             * Format: int64
             * @description Always 0: when a graph was made is not known.
             */
            created: number;
            /** @description The dataset's id. */
            id: string;
            /** @description The dataset's name for people. */
            name: string;
            /** @description Always `model`. */
            object: string;
            /** @description Always `eruca`. */
            owned_by: string;
        };
        /** @description The models. */
        ModelList: {
            /** @description A model for each dataset. */
            data: components["schemas"]["Model"][];
            /** @description Always `list`. */
            object: string;
        };
        /** @description Something with its name. */
        NamedIri: {
            /** @description The IRI. */
            iri: string;
            /** @description Its name. */
            label: string;
        };
        /** @description What happened. */
        OpenAiError: {
            /** @description For programs: `invalid_api_key`, `model_not_found`, `rate_limit_exceeded`, `overloaded`, ... */
            code?: string | null;
            /** @description In words for people. */
            message: string;
            /** @description The field of the request that is wrong. */
            param?: string | null;
            /** @description The side of the error: `invalid_request_error`, `rate_limit_error` or `server_error`. */
            type: string;
        };
        /** @description An error on the wire. */
        OpenAiErrorResponse: {
            /** @description What happened. */
            error: components["schemas"]["OpenAiError"];
        };
        /** @description What the page may do. */
        PageAbilities: {
            /** @description Whether there are pages of verified questions (/q). */
            boards: boolean;
            /** @description Whether reports on answers are taken. */
            feedback: boolean;
            /** @description Whether a key is required. */
            key: boolean;
            /** @description Whether pictures of things are loaded. */
            pictures: boolean;
            /** @description Whether corrections become proposals. */
            proposals: boolean;
            /** @description Whether queries that a person wrote are run. */
            queries: boolean;
            tiles?: components["schemas"]["Tiles"] | null;
        };
        /** @description What the page needs to know about this service. */
        PageConfig: {
            /** @description The datasets; absent where a key is required. */
            datasets?: components["schemas"]["DatasetName"][] | null;
            /** @description Always "Eruca". */
            name: string;
            /** @description What the page may do. */
            pages: components["schemas"]["PageAbilities"];
            /** @description The version of Eruca. */
            version: string;
        };
        /** @description The state of one part of the system. */
        Part: {
            /** @description Why, in words for people. */
            detail: string;
            /** @description The part. */
            part: string;
            /** @description Its state. */
            state: components["schemas"]["State"];
        };
        /** @description A part of an answer's text. */
        PartOfText: {
            /** @description Whether it is a question that may be asked next. */
            asks?: boolean;
            /** @description The name of the citation that it is: it comes from a text, and not from the graph. */
            cites?: string | null;
            /** @description Where that lives: an address of the web. */
            href?: string | null;
            /** @description What it names. */
            iri?: string | null;
            /** @description The text. */
            text: string;
        };
        /** @description An earlier question: a run that is kept, or the question itself. */
        Past: {
            /** @description The query that answered it. */
            query?: string | null;
            /** @description The question, where there is no run. */
            question?: string | null;
            /** @description The name of its run. */
            run?: string | null;
        };
        /** @description Where things are. */
        Places: {
            /** @description Latitude and longitude by IRI; things without a place in the graph are left out. */
            places: {
                [key: string]: number[];
            };
        };
        /** @description A property. */
        Property: {
            /** @description Classes of its subjects, the most frequent first. */
            domain: string[];
            /** @description The IRI. */
            iri: string;
            /** @description What its values are, in the words of the columns of results. */
            kind: string;
            /** @description Its name. */
            label: string;
            /** @description What the owner of the graph says of it, in sentences. */
            notes?: string[];
            /** @description Classes of its objects, the most frequent first. */
            range: string[];
            /** @description The unit of its numbers, as the owner of the graph says. */
            unit?: string | null;
            /**
             * Format: int64
             * @description Triples with it.
             */
            uses: number;
        };
        /** @description Something that the owner of a graph may accept. */
        Proposal: {
            /** @description When (RFC 3339). */
            at: string;
            /** @description Who: the name of a key or of a model. */
            by?: string | null;
            /** @description The entry as it would be written, in TOML; it can be edited. */
            entry: string;
            /** @description Names what is proposed. */
            id: string;
            /** @description What it would become. */
            kind: components["schemas"]["ProposalKind"];
            /** @description The language of the words or of the question, if it is known. */
            lang?: string | null;
            meaning?: components["schemas"]["Meaning"] | null;
            /** @description The name of what is meant, or of what a note is about. */
            name?: string | null;
            /** @description The name of the property whose value is meant. */
            property?: string | null;
            /** @description The query of a verified question. */
            query?: string | null;
            /** @description The question that was misread; empty if there was none. */
            question: string;
            /** @description The run that was corrected. */
            run?: string | null;
            /** @description The text of a note. */
            text?: string | null;
            /** @description The words of an entry of the glossary. */
            words?: string | null;
        };
        /**
         * @description What a proposal would become.
         * @enum {string}
         */
        ProposalKind: "glossary" | "question" | "note";
        /** @description The proposals for what the owner of a graph knows. */
        Proposals: {
            /** @description The id of the dataset. */
            dataset: string;
            /** @description Those that are open, the oldest first. */
            proposals: components["schemas"]["Proposal"][];
        };
        /** @description Questions with their answers in QALD-JSON. */
        Qald: {
            /** @description The questions. */
            questions: components["schemas"]["QaldQuestion"][];
        };
        /** @description The query of a question. */
        QaldQuery: {
            /** @description In SPARQL; absent where there is none. */
            sparql?: string | null;
        };
        /** @description A question with its answers. */
        QaldQuestion: {
            /** @description The results of the query; empty when there are none that could be read. */
            answers: components["schemas"]["SparqlJson"][];
            /** @description Its id: that of the file, or of the request. */
            id: string;
            /** @description The query that answers it. */
            query: components["schemas"]["QaldQuery"];
            /** @description Its text, by language. */
            question: components["schemas"]["QaldText"][];
        };
        /** @description The text of a question. */
        QaldText: {
            /** @description Its language. */
            language: string;
            /** @description The text. */
            string: string;
        };
        /** @description Whether questions can be answered. */
        Readiness: {
            /** @description Every part with its state; absent without a key for it. */
            parts?: components["schemas"]["Part"][] | null;
            /** @description False when at least one part is down. */
            ready: boolean;
        };
        /** @description One thing that makes a row an answer. */
        Reason: {
            /** @enum {string} */
            kind: "triple";
            /** @description The value. */
            object: components["schemas"]["ShownTerm"];
            /** @description Whether it is from an optional part of the query. */
            optional: boolean;
            /** @description The property. */
            predicate: components["schemas"]["ShownTerm"];
            /** @description What it is about. */
            subject: components["schemas"]["ShownTerm"];
        } | {
            /** @enum {string} */
            kind: "path";
            /** @description Where it ends. */
            object: components["schemas"]["ShownTerm"];
            /** @description What it may be made of, in words. */
            path: string;
            /** @description Where it begins. */
            subject: components["schemas"]["ShownTerm"];
            /** @description One shortest way. */
            triples: components["schemas"]["ShownTerm"][][];
        } | {
            /** @description Whether it is met. */
            holds: boolean;
            /** @enum {string} */
            kind: "condition";
            /** @description With the values put in. */
            words: string;
        } | {
            /** @enum {string} */
            kind: "absent";
            /** @description In SPARQL with prefixed names. */
            pattern: string;
            /** @description In words. */
            words: string;
        } | {
            /** @description Why the first member is one. */
            example: components["schemas"]["Reason"][];
            /** @description `count`, `sum`, `avg`, `min`, `max`, `sample`, `group_concat`. */
            function: string;
            /** @enum {string} */
            kind: "members";
            /** @description The first members. */
            members: components["schemas"]["ShownTerm"][][];
            /** @description The aggregate in words. */
            of: string;
            /** @description How many of them are shown. */
            shown: number;
            /** @description How many there are; absent when that could not be found out. */
            total?: number | null;
            /** @description The statements that make each of them a member. */
            triples: components["schemas"]["ShownTerm"][][][];
            value?: components["schemas"]["ShownTerm"] | null;
        } | {
            /** @enum {string} */
            kind: "rank";
            /** @description From 1; absent when it could not be found out. */
            place?: number | null;
            /** @description In words. */
            words: string;
        } | {
            /** @enum {string} */
            kind: "either";
            /** @description In words. */
            words: string;
        } | {
            /** @enum {string} */
            kind: "named";
            /** @description In words. */
            words: string;
        } | {
            /** @enum {string} */
            kind: "optional_missing";
            /** @description In words. */
            words: string;
        };
        /** @description A sound or a film. */
        Recording: {
            /** @description Its address. */
            address: string;
            /** @description Whether it is a film; otherwise, a sound. */
            is_film: boolean;
        };
        /** @description What became of a wish to open a dataset anew. */
        ReloadDto: {
            /** @description The dataset's id. */
            dataset: string;
            /**
             * Format: double
             * @description Time that the opening took, milliseconds.
             */
            elapsed_ms: number;
            /** @description Whether another index was opened; `false` when the current one was open already. */
            reloaded: boolean;
            /**
             * Format: int64
             * @description Triples of the index that answers now.
             */
            triples: number;
        };
        /** @description A name in the place of another. */
        ReplacedName: {
            /** @description The name in its place. */
            name: string;
            /** @description The IRI or literal that stands for it in the query. */
            value: string;
            /** @description The name in the verified question. */
            verified: string;
        };
        /** @description The results of a query. */
        Rows: {
            /** @description The answer. */
            boolean: boolean;
        } | components["schemas"]["Table"];
        /** @description A question with its outcome. */
        Run: {
            /** @description IRIs of the things that the question names without asking anything else about them: the answer is what is said of them. */
            about?: string[];
            /** @description Other readings with other results, the likeliest first. */
            alternatives: components["schemas"]["Alternative"][];
            answer?: components["schemas"]["Answer"] | null;
            answered_by?: components["schemas"]["AnsweredBy"] | null;
            article?: components["schemas"]["Article"] | null;
            /** @description The question made complete, when it was a follow-up; else the question. */
            asked: string;
            /** @description When it was asked (RFC 3339). */
            asked_at: string;
            /** @description What the words stand for in the query, and by what right; in their order. */
            because: components["schemas"]["Because"][];
            /** @description The sentences of the answer, each with the triples that support it; where `claims` of /ask asks for them. */
            claims?: components["schemas"]["Claim"][];
            clarify?: components["schemas"]["Clarify"] | null;
            confidence?: components["schemas"]["Belief"] | null;
            /** @description The id of the dataset that was asked (not the alias). */
            dataset: string;
            /** @description What keeps the answer from being proven. A planner's answer with any is never `sure`; a model's is when enough else speaks for it. */
            doubts: components["schemas"]["Doubt"][];
            /** @description The endpoint's own editor with the query, where it has one. */
            editor?: string | null;
            /**
             * Format: double
             * @description Time from the beginning to the end, or to now, in milliseconds.
             */
            elapsed_ms: number;
            empty?: components["schemas"]["Empty"] | null;
            error?: components["schemas"]["ErrorBody"] | null;
            /** @description The query part by part, in words. */
            explanation: components["schemas"]["Explained"][];
            /**
             * @description The earlier questions without which a follow-up cannot be read, the oldest first, each as it stands alone. Those of the
             *     same conversation that it takes nothing from are not among them.
             */
            follows?: string[];
            /** @description Its name, which nobody can guess. */
            id: string;
            /** @description The language of labels and words. */
            lang: string;
            /** @description What of the graph's files could not be read, and may be missing from the rows. */
            missing?: string[];
            /** @description The chat model's name, if one was asked. */
            model?: string | null;
            /** @description Names in the question that the graph does not know. */
            not_found: string[];
            /** @description The final query. */
            query?: string | null;
            /** @description The question as it was asked; empty for a query that was sent to /query. */
            question: string;
            /** @description How the question was read, in words. */
            reading?: string | null;
            rows?: components["schemas"]["Rows"] | null;
            /** @description The query that `rows` come from, where it has more columns than `query`: what its rows are ordered by or compared with. */
            rows_query?: string | null;
            /**
             * @description Names of the question that the graph does not have just so, each with a name of the graph that is written alike and may be
             *     meant. None where the answer is sure.
             */
            similar?: components["schemas"]["Similar"][];
            /** @description Its outcome. */
            state: components["schemas"]["RunState"];
            /** @description The steps so far, as long as there is no trace; for good, when there was no answer. */
            steps?: components["schemas"]["Step"][];
            /** @description What was taken from earlier questions, in words. */
            taken_over: string[];
            trace?: components["schemas"]["Trace"] | null;
            /** @description Words of the question that were not used in the query. */
            unused: string[];
            /**
             * @description The words of the question, each with whether the query uses it; none where a model has made the query, as nobody has
             *     looked then.
             */
            words: components["schemas"]["Word"][];
        };
        /**
         * @description The outcome of a run.
         * @enum {string}
         */
        RunState: "running" | "done" | "failed" | "cancelled";
        /** @description The largest classes, at most 30, and what connects them. */
        Schema: {
            /** @description What connects them, the most frequent first. */
            edges: components["schemas"]["SchemaEdge"][];
            /** @description Classes with their own instances. */
            nodes: components["schemas"]["SchemaNode"][];
        };
        /** @description What connects two classes. */
        SchemaEdge: {
            /**
             * Format: int64
             * @description Triples.
             */
            count: number;
            /** @description The class of the subjects. */
            from: string;
            /** @description Its name. */
            label: string;
            /** @description The property. */
            property: string;
            /** @description The class of the objects. */
            to: string;
        };
        /** @description A class in the picture of a schema. */
        SchemaNode: {
            /**
             * Format: int64
             * @description Its own instances, without those of its subclasses.
             */
            count: number;
            /** @description The IRI. */
            iri: string;
            /** @description Its name. */
            label: string;
        };
        /** @description A term with its name. */
        ShownTerm: {
            /** @description The datatype's IRI, unless it is a plain or language-tagged string. */
            datatype?: string | null;
            /** @description Where it lives: an address of the web. */
            href?: string | null;
            /** @description The name in the reader's language, where there is one. */
            label?: string | null;
            /** @description The language tag. */
            lang?: string | null;
            /** @description "uri", "literal" or "bnode". */
            type: string;
            /** @description The IRI, the literal's text, or the blank node's label. */
            value: string;
        };
        /** @description Words of a question, and a name that is written alike. */
        Similar: {
            /** @description The name as the graph writes it. */
            name: string;
            /** @description The words as they stand in the question that was made complete. */
            words: string;
        };
        /** @description The columns of results. */
        SparqlHead: {
            /** @description Their names. */
            vars?: string[];
        };
        /** @description Results as [SPARQL 1.1 Query Results JSON Format](https://www.w3.org/TR/sparql11-results-json/); a graph as a table. */
        SparqlJson: {
            /** @description The answer of an ASK. */
            boolean?: boolean | null;
            /** @description The columns. */
            head: components["schemas"]["SparqlHead"];
            results?: components["schemas"]["SparqlRows"] | null;
        };
        /** @description The rows of results. */
        SparqlRows: {
            /** @description Each row: the terms by column, without those that are unbound. */
            bindings: {
                [key: string]: components["schemas"]["SparqlTerm"];
            }[];
        };
        /** @description A term in results. */
        SparqlTerm: {
            /** @description The datatype's IRI, unless it is a plain or language-tagged string. */
            datatype?: string | null;
            /** @description "uri", "literal" or "bnode". */
            type: string;
            /** @description The IRI, the literal's text, or the blank node's label. */
            value: string;
            /** @description The language tag. */
            "xml:lang"?: string | null;
        };
        /**
         * @description The state of a part.
         * @enum {string}
         */
        State: "ok" | "degraded" | "down";
        /** @description One step of the run. */
        Step: components["schemas"]["StepKind"] & {
            /**
             * Format: double
             * @description Time from the start of the run, in milliseconds.
             */
            at_ms: number;
            /**
             * Format: double
             * @description How long the step took, in milliseconds.
             */
            elapsed_ms: number;
        };
        /** @description What a step did. */
        StepKind: {
            /** @enum {string} */
            kind: "grounding";
            /** @description What was found. */
            observation: string;
        } | {
            /** @description The tools called. */
            calls: components["schemas"]["ToolCall"][];
            /** @enum {string} */
            kind: "model";
            /** @description The model's free text. */
            thought?: string | null;
            /** @description Tokens of this call. */
            tokens: components["schemas"]["Tokens"];
        } | {
            /** @description The arguments as the model wrote them. */
            arguments: string;
            /** @enum {string} */
            kind: "tool";
            /** @description The tool. */
            name: string;
            /** @description What the model was shown. */
            observation: string;
            /** @description The kind of outcome: `ok`, `empty`, `truncated`, `syntax_error`, ... */
            outcome: string;
        } | {
            /** @enum {string} */
            kind: "planner";
            /** @description How it read the question and why it chose the query. */
            readings: string[];
        } | {
            /** @description What was changed. */
            change: string;
            /** @enum {string} */
            kind: "rewrite";
        } | {
            /** @enum {string} */
            kind: "controller";
            /** @description What was decided and why. */
            note: string;
        };
        /**
         * @description Why the run ended.
         * @enum {string}
         */
        StopReason: "answered" | "answered_as_text" | "deadline" | "budget" | "model_failed" | "not_in_graph" | "no_model" | "asked_again" | "asked_for_help" | "only_named" | "verified";
        /** @description A table. */
        Table: {
            /** @description The columns. */
            columns: components["schemas"]["Column"][];
            /** @description Why rows are missing, in words for people; absent when none is. */
            incomplete?: string | null;
            /** @description Where things in the rows are: latitude and longitude by IRI. */
            places?: {
                [key: string]: number[];
            };
            /** @description Rows that the query returned, within the configured limits. */
            row_count: number;
            /** @description The rows; `null` where a variable is unbound. */
            rows: (components["schemas"]["ShownTerm"] | null)[][];
        };
        /** @description A question made from the graph. */
        TestProposal: {
            /**
             * @description How it is built: `list`, `count`, `value`, `filter`, `within`, `bound`, `superlative`, `truth`, `steps`, `average`, `sum`,
             *     `negation`, `date`, `comparison`, `group` or `filter_count`; `own` for one that a person has written.
             */
            construct: string;
            /** @description Its id, the same each time. */
            id: string;
            /** @description The tag of its language. */
            lang: string;
            /** @description The query that it was made from; nobody has said that it is right. */
            query: string;
            /** @description The question. */
            question: string;
        };
        /** @description How many answers are right. */
        TestScore: {
            /** @description Of all. */
            all: components["schemas"]["TestShare"];
            /** @description By how reliable answers were said to be. */
            confidences: components["schemas"]["TestShare"][];
            /** @description By how questions are built. */
            constructs: components["schemas"]["TestShare"][];
            /** @description Wrong answers whose right query is not known. */
            open: number;
        };
        /** @description The test set of a dataset, with questions that can be judged. */
        TestSet: {
            /** @description The dataset's id. */
            dataset: string;
            /** @description Those of them that have been judged. */
            judged: number;
            /** @description Languages in which questions can be proposed, the most frequent first. */
            languages: string[];
            /** @description How many proposed questions there are, with those that have been judged. */
            of: number;
            /** @description What is wrong in the file, with its line. */
            problems: string[];
            /** @description Proposed questions that nobody has judged. */
            proposals: components["schemas"]["TestProposal"][];
            score?: components["schemas"]["TestScore"] | null;
            /** @description Questions that have been judged. */
            tests: components["schemas"]["JudgedTest"][];
        };
        /** @description A share of right answers. */
        TestShare: {
            /**
             * Format: double
             * @description The upper end.
             */
            high: number;
            /**
             * Format: double
             * @description The lower end of its 95 % interval.
             */
            low: number;
            /** @description Of which answers: a construct, or a word for the confidence; empty for all. */
            name: string;
            /** @description Of how many. */
            of: number;
            /** @description How many are right. */
            right: number;
            /**
             * Format: double
             * @description The share.
             */
            share: number;
        };
        /**
         * @description The answer to a question: the question again, and the query that answers it.
         * @example {
         *       "dataset": "demo",
         *       "question": "What is the capital of France?",
         *       "query": "SELECT ?capital WHERE { <https://eruca.dev/demo/resource/France> <https://eruca.dev/demo/ontology#capital> ?capital }"
         *     }
         */
        Text2SparqlAnswer: {
            /** @description The dataset exactly as the request named it. */
            dataset: string;
            /** @description The SPARQL query that answers the question: checked, read-only, self-contained. */
            query: string;
            /** @description The question exactly as it was asked. */
            question: string;
            trace?: components["schemas"]["Trace"] | null;
        };
        /** @description Tiles of a map. */
        Tiles: {
            /** @description Who is to be named: text, not markup. */
            attribution: string;
            /** @description Their address, with `{z}`, `{x}` and `{y}`. */
            url: string;
        };
        /** @description Tokens spent. */
        Tokens: {
            /**
             * Format: int64
             * @description Part of the prompts that the model's server had in its cache.
             */
            cached: number;
            /**
             * Format: int64
             * @description Of the completions.
             */
            completion: number;
            /** @description True when at least one count is an estimate. */
            estimated: boolean;
            /**
             * Format: int64
             * @description Of the prompts.
             */
            prompt: number;
        };
        /** @description A tool call of the model. */
        ToolCall: {
            /** @description The arguments as the model wrote them. */
            arguments: string;
            /** @description The tool. */
            name: string;
        };
        /** @description How the query came about. */
        Trace: {
            /** @description Who stated the query. */
            answered_by: components["schemas"]["AnsweredBy"];
            /** @description What texts beside the graph say of the question; the query shows none of it. */
            citations?: components["schemas"]["Citation"][];
            computed?: components["schemas"]["Computed"] | null;
            /**
             * Format: double
             * @description What they cost, in the currency of the configured prices; absent without prices.
             */
            cost?: number | null;
            /** @description The id of the dataset that was asked (not the alias). */
            dataset_id: string;
            /** @description What did not work as configured, in words for people. */
            degraded: string[];
            /**
             * Format: double
             * @description Wall-clock time of the whole run, in milliseconds.
             */
            elapsed_ms: number;
            insight?: components["schemas"]["Insight"] | null;
            /** @description The chat model's name, if one was asked. */
            model?: string | null;
            /**
             * Format: int32
             * @description Completions requested from the model.
             */
            model_calls: number;
            /** @description What the graph lacks, if the model says that it does not contain the answer. The query then returns nothing. */
            not_in_graph?: string | null;
            /** @description The steps in order. */
            steps: components["schemas"]["Step"][];
            /** @description Why the run ended. */
            stop_reason: components["schemas"]["StopReason"];
            /** @description Tokens spent in all. */
            tokens: components["schemas"]["Tokens"];
            verified?: components["schemas"]["Verified"] | null;
        };
        /** @description What accepting a proposal would change: questions asked again without a model, before and after. */
        Trial: {
            /** @description Verified questions among them that were answered rightly and would no longer be. */
            broken: number;
            /** @description Those whose answers change. */
            changes: components["schemas"]["Change"][];
            /** @description Questions for which there was no time. */
            left: number;
            /** @description Questions that were looked at: the last ones, and the verified ones. */
            questions: number;
        };
        /** @description An answer of a trial. */
        TrialAnswer: {
            confidence?: components["schemas"]["Confidence"] | null;
            /** @description The query. */
            query?: string | null;
            /** @description How many rows it has. */
            rows?: number | null;
            /** @description The answer in words, or why there is none. */
            text: string;
        };
        /** @description What is tried. */
        TrialOf: {
            /** @description Another entry in the place of the proposed one, in TOML. */
            entry?: string | null;
        };
        /** @description A query that is being written. */
        UnfinishedQuery: {
            /** @description The number of characters (Unicode code points) before the cursor. */
            at: number;
            /** @description The dataset's id or one of its aliases. */
            dataset: string;
            /** @description The language of the reader. */
            lang?: string | null;
            /** @description Completions wanted, at most 50; 10 without. */
            limit?: number | null;
            /** @description The query, as far as it is written. */
            query: string;
        };
        /** @description What is wrong with one parameter. */
        ValidationError: {
            /** @description Where: "query" and the parameter's name, or "body" and the way to the field. */
            loc: string[];
            /** @description What is wrong, in words for people. */
            msg: string;
            /** @description What is wrong, for programs: `missing`, `string_too_short`, `string_too_long`, `bool_parsing`, ... */
            type: string;
        };
        /** @description The verified question by whose query an answer came about. */
        Verified: {
            /** @description When, as YYYY-MM-DD. */
            at: string;
            /** @description Who has verified it. */
            by: string;
            /** @description Whether the query gives another result than when it was verified. */
            changed: boolean;
            /** @description What its owner says of it. */
            comment?: string | null;
            /** @description Whether the question is only near to the one that was verified, so that its query may answer something else. */
            near?: boolean;
            /** @description Its page with these names, if it has one: a path of this service. */
            page?: string | null;
            /** @description The question as it was verified. */
            question: string;
            /** @description Names of the question that stand in the places of others; with any, the answer is at most `likely`. */
            replaced?: components["schemas"]["ReplacedName"][];
            /** @description All of it in a sentence. */
            text: string;
        };
        /**
         * @description What becomes of a verified question when it is answered without its query.
         * @enum {string}
         */
        VerifiedChange: "broken" | "mended" | "other";
        /** @description Why a row is an answer. */
        Why: {
            /** @description What could not be shown, and why. */
            notes: string[];
            /** @description What makes it an answer, in the order of the query. */
            parts: components["schemas"]["Reason"][];
            /** @description The row, from 0. */
            row: number;
            /** @description One sentence. */
            text: string;
        };
        /** @description A word of a question. */
        Word: {
            /** @description As it was written. */
            text: string;
            /** @description Whether the query uses it, as far as is known. */
            used: boolean;
        };
        /** @description A query that a person wrote or edited. */
        WrittenQuery: {
            /** @description The dataset's id or one of its aliases. */
            dataset: string;
            /** @description The language of the reader. */
            lang?: string | null;
            /** @description The query: SPARQL 1.1, read-only; known prefixes need not be declared. */
            query: string;
            /** @description The run that it was edited from. */
            run?: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AgainReason = components['schemas']['AgainReason'];
export type Alternative = components['schemas']['Alternative'];
export type Answer = components['schemas']['Answer'];
export type AnswerStyle = components['schemas']['AnswerStyle'];
export type AnsweredBy = components['schemas']['AnsweredBy'];
export type Article = components['schemas']['Article'];
export type ArticleLine = components['schemas']['ArticleLine'];
export type ArticlePicture = components['schemas']['ArticlePicture'];
export type ArticleSection = components['schemas']['ArticleSection'];
export type ArticleSource = components['schemas']['ArticleSource'];
export type ArticleThing = components['schemas']['ArticleThing'];
export type Ask = components['schemas']['Ask'];
export type AskedAgain = components['schemas']['AskedAgain'];
export type Because = components['schemas']['Because'];
export type Belief = components['schemas']['Belief'];
export type BoardCandidate = components['schemas']['BoardCandidate'];
export type BoardCandidates = components['schemas']['BoardCandidates'];
export type BoardChoice = components['schemas']['BoardChoice'];
export type BoardLink = components['schemas']['BoardLink'];
export type BoardPage = components['schemas']['BoardPage'];
export type BoardParameter = components['schemas']['BoardParameter'];
export type BoardQuestion = components['schemas']['BoardQuestion'];
export type BoardResult = components['schemas']['BoardResult'];
export type Boards = components['schemas']['Boards'];
export type Card = components['schemas']['Card'];
export type Change = components['schemas']['Change'];
export type ChatChoice = components['schemas']['ChatChoice'];
export type ChatCompletion = components['schemas']['ChatCompletion'];
export type ChatCompletionRequest = components['schemas']['ChatCompletionRequest'];
export type ChatContent = components['schemas']['ChatContent'];
export type ChatContentPart = components['schemas']['ChatContentPart'];
export type ChatFunction = components['schemas']['ChatFunction'];
export type ChatMessage = components['schemas']['ChatMessage'];
export type ChatPromptTokens = components['schemas']['ChatPromptTokens'];
export type ChatSaid = components['schemas']['ChatSaid'];
export type ChatStreamOptions = components['schemas']['ChatStreamOptions'];
export type ChatToolCall = components['schemas']['ChatToolCall'];
export type ChatUsage = components['schemas']['ChatUsage'];
export type Choice = components['schemas']['Choice'];
export type Chosen = components['schemas']['Chosen'];
export type Citation = components['schemas']['Citation'];
export type Claim = components['schemas']['Claim'];
export type ClaimSupport = components['schemas']['ClaimSupport'];
export type Claims = components['schemas']['Claims'];
export type Clarify = components['schemas']['Clarify'];
export type ClarifyOption = components['schemas']['ClarifyOption'];
export type Class = components['schemas']['Class'];
export type ClassProperty = components['schemas']['ClassProperty'];
export type Column = components['schemas']['Column'];
export type Compared = components['schemas']['Compared'];
export type Comparison = components['schemas']['Comparison'];
export type Completion = components['schemas']['Completion'];
export type Completions = components['schemas']['Completions'];
export type Computed = components['schemas']['Computed'];
export type ComputedInput = components['schemas']['ComputedInput'];
export type ComputedValue = components['schemas']['ComputedValue'];
export type Confidence = components['schemas']['Confidence'];
export type Correction = components['schemas']['Correction'];
export type Dataset = components['schemas']['Dataset'];
export type DatasetName = components['schemas']['DatasetName'];
export type Datasets = components['schemas']['Datasets'];
export type Decided = components['schemas']['Decided'];
export type Decision = components['schemas']['Decision'];
export type Doubt = components['schemas']['Doubt'];
export type Dropped = components['schemas']['Dropped'];
export type Empty = components['schemas']['Empty'];
export type Entry = components['schemas']['Entry'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type Explained = components['schemas']['Explained'];
export type Fact = components['schemas']['Fact'];
export type Feedback = components['schemas']['Feedback'];
export type HttpValidationError = components['schemas']['HTTPValidationError'];
export type Health = components['schemas']['Health'];
export type Hit = components['schemas']['Hit'];
export type Hits = components['schemas']['Hits'];
export type Insight = components['schemas']['Insight'];
export type JudgedNow = components['schemas']['JudgedNow'];
export type JudgedTest = components['schemas']['JudgedTest'];
export type Judgement = components['schemas']['Judgement'];
export type LanguageShare = components['schemas']['LanguageShare'];
export type Link = components['schemas']['Link'];
export type LinkText = components['schemas']['LinkText'];
export type Linked = components['schemas']['Linked'];
export type LinkedTexts = components['schemas']['LinkedTexts'];
export type Linking = components['schemas']['Linking'];
export type LiteralValue = components['schemas']['LiteralValue'];
export type Meaning = components['schemas']['Meaning'];
export type MeantKind = components['schemas']['MeantKind'];
export type Model = components['schemas']['Model'];
export type ModelList = components['schemas']['ModelList'];
export type NamedIri = components['schemas']['NamedIri'];
export type OpenAiError = components['schemas']['OpenAiError'];
export type OpenAiErrorResponse = components['schemas']['OpenAiErrorResponse'];
export type PageAbilities = components['schemas']['PageAbilities'];
export type PageConfig = components['schemas']['PageConfig'];
export type Part = components['schemas']['Part'];
export type PartOfText = components['schemas']['PartOfText'];
export type Past = components['schemas']['Past'];
export type Places = components['schemas']['Places'];
export type Property = components['schemas']['Property'];
export type Proposal = components['schemas']['Proposal'];
export type ProposalKind = components['schemas']['ProposalKind'];
export type Proposals = components['schemas']['Proposals'];
export type Qald = components['schemas']['Qald'];
export type QaldQuery = components['schemas']['QaldQuery'];
export type QaldQuestion = components['schemas']['QaldQuestion'];
export type QaldText = components['schemas']['QaldText'];
export type Readiness = components['schemas']['Readiness'];
export type Reason = components['schemas']['Reason'];
export type Recording = components['schemas']['Recording'];
export type ReloadDto = components['schemas']['ReloadDto'];
export type ReplacedName = components['schemas']['ReplacedName'];
export type Rows = components['schemas']['Rows'];
export type Run = components['schemas']['Run'];
export type RunState = components['schemas']['RunState'];
export type Schema = components['schemas']['Schema'];
export type SchemaEdge = components['schemas']['SchemaEdge'];
export type SchemaNode = components['schemas']['SchemaNode'];
export type ShownTerm = components['schemas']['ShownTerm'];
export type Similar = components['schemas']['Similar'];
export type SparqlHead = components['schemas']['SparqlHead'];
export type SparqlJson = components['schemas']['SparqlJson'];
export type SparqlRows = components['schemas']['SparqlRows'];
export type SparqlTerm = components['schemas']['SparqlTerm'];
export type State = components['schemas']['State'];
export type Step = components['schemas']['Step'];
export type StepKind = components['schemas']['StepKind'];
export type StopReason = components['schemas']['StopReason'];
export type Table = components['schemas']['Table'];
export type TestProposal = components['schemas']['TestProposal'];
export type TestScore = components['schemas']['TestScore'];
export type TestSet = components['schemas']['TestSet'];
export type TestShare = components['schemas']['TestShare'];
export type Text2SparqlAnswer = components['schemas']['Text2SparqlAnswer'];
export type Tiles = components['schemas']['Tiles'];
export type Tokens = components['schemas']['Tokens'];
export type ToolCall = components['schemas']['ToolCall'];
export type Trace = components['schemas']['Trace'];
export type Trial = components['schemas']['Trial'];
export type TrialAnswer = components['schemas']['TrialAnswer'];
export type TrialOf = components['schemas']['TrialOf'];
export type UnfinishedQuery = components['schemas']['UnfinishedQuery'];
export type ValidationError = components['schemas']['ValidationError'];
export type Verified = components['schemas']['Verified'];
export type VerifiedChange = components['schemas']['VerifiedChange'];
export type Why = components['schemas']['Why'];
export type Word = components['schemas']['Word'];
export type WrittenQuery = components['schemas']['WrittenQuery'];
