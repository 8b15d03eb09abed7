// `npm run db:types` writes db/generated/tables.ts from a new migrated database.
import { writeFile } from 'node:fs/promises';
import { withScratchDatabase } from '../../src/testing/scratchDatabase.ts';
import { generateTypes } from '../../src/server/db/generateTypes.ts';

await withScratchDatabase(async (client) => {
  await writeFile(new URL('../../db/generated/tables.ts', import.meta.url), await generateTypes(client));
});
