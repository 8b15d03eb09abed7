import type { Entry } from '#respondent/steps.ts';

/**
 * Takes the facts of the entry out of the page, where the server put them (`src/server/http/static.ts`). Undefined when the page has
 * none or those of another entry: without a network one stored page serves every entry. A second call asks the server.
 */
export function takeEntryOfPage(clientcode: string): Entry | undefined {
  const block = document.getElementById('facts');
  if (!block) return undefined;
  block.remove();
  try {
    const facts = JSON.parse(block.textContent) as { clientcode: string; entry: Entry };
    return facts.clientcode === clientcode ? facts.entry : undefined;
  } catch {
    return undefined;
  }
}
