// Writes db/generated/tables.ts from a freshly migrated scratch database: npm run db:types
import { writeFile } from 'node:fs/promises';
import { withScratchDatabase } from '../../src/testing/scratchDatabase.ts';
import { generateTypes } from '../../src/server/db/generateTypes.ts';

await withScratchDatabase(async (client) => {
  await writeFile(new URL('../../db/generated/tables.ts', import.meta.url), await generateTypes(client));
});
