// Reading a stream of events (text/event-stream) piece by piece, wherever the network cuts it.
import { createParser } from "eventsource-parser";

export interface StreamEvent {
  id: number;
  type: string;
  data: string;
}

/** Takes the pieces of a stream and gives the events that are complete. */
export class EventReader {
  private found: StreamEvent[] = [];
  private last = 0;
  private readonly parser = createParser({
    onEvent: ({ id = "", event = "message", data }) => {
      // An event without a number of its own is that of the one before.
      if (/^\d+$/.test(id)) this.last = Number(id);
      this.found.push({ id: this.last, type: event, data });
    },
  });

  push(piece: string): StreamEvent[] {
    this.parser.feed(piece);
    return this.found.splice(0);
  }
}
