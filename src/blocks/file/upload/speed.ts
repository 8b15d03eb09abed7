/** The time over which the speed of an upload is measured, in milliseconds. */
const WINDOW_MS = 8_000;
/** A shorter time tells no speed. */
const LEAST_MS = 1_000;

/** Returns a meter: it takes the bytes that have arrived at a time and returns the speed in bytes a second, 0 while it is unknown. */
export function speedMeter(): (sent: number, time: number) => number {
  let points: { sent: number; time: number }[] = [];
  return (sent, time) => {
    // After an interruption the server may be at an earlier place.
    if (sent < (points.at(-1)?.sent ?? 0)) points = [];
    points = [...points.filter((point) => time - point.time <= WINDOW_MS), { sent, time }];
    const [first] = points;
    return first && time - first.time >= LEAST_MS ? (1000 * (sent - first.sent)) / (time - first.time) : 0;
  };
}
