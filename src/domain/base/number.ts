/** Returns a number as every screen, export and message writes it, with separators: 5,000. */
export const formatNumber = (value: number | bigint): string => value.toLocaleString('en-US');
