// `npm run db:squash` writes db/migrations/0001_schema.sql from db/schema. It is for the time before the first release;
// afterwards add migrations instead.
import { writeFile } from 'node:fs/promises';
import { schemaText } from '../../src/server/db/schemaText.ts';

await writeFile(new URL('../../db/migrations/0001_schema.sql', import.meta.url), await schemaText());
