/** A number of persons or cases as a screen shows it: 12,345; `<5` when it is hidden. */
export const countText = (count: number | null): string => (count === null ? '<5' : count.toLocaleString('zh-CN'));
/** A rate in percent; a dash when there is none. */
export const rateText = (rate: number | null): string => (rate === null ? '—' : `${rate}%`);
