/** A number of persons or cases as a screen shows it: 12,345; a dash when it is hidden. */
export const countText = (count: number | null): string => (count === null ? '—' : count.toLocaleString('zh-CN'));
/** A rate in percent; a dash when there is none. */
export const rateText = (rate: number | null): string => (rate === null ? '—' : `${rate}%`);
