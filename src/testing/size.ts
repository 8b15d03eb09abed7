/**
 * Returns the size of a mass test: `small` in `npm test`, `large` in `npm run proof`.
 * `scripts/proof.ts` runs every test file that imports this function.
 */
export const sizeOf = <T>(small: T, large: T): T => (process.env['PROOF'] === '1' ? large : small);
