/** Maps items one after the other. Statements of one transaction run so, because its connection takes one at a time. */
export async function mapInOrder<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await map(item));
  return results;
}
