// Reading a stream of events (text/event-stream) piece by piece, wherever the network cuts it.

export interface StreamEvent {
  id: number;
  type: string;
  data: string;
}

/** Takes the pieces of a stream and gives the events that are complete. */
export class EventReader {
  private rest = "";
  private id = 0;
  private type = "";
  private data: string[] = [];

  push(piece: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    // A carriage return at the end may be half of a line's end.
    const text = this.rest + piece;
    const held = text.endsWith("\r") ? text.length - 1 : text.length;
    const lines = text.slice(0, held).split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? "") + text.slice(held);
    for (const line of lines) this.line(line, events);
    return events;
  }

  private line(line: string, events: StreamEvent[]): void {
    if (line === "") {
      if (this.data.length > 0) events.push({ id: this.id, type: this.type || "message", data: this.data.join("\n") });
      this.type = "";
      this.data = [];
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.data.push(value);
    else if (field === "event") this.type = value;
    else if (field === "id" && /^\d+$/.test(value)) this.id = Number(value);
  }
}
