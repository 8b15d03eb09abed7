// Writes db/migrations/0001_schema.sql from db/schema: npm run db:squash. Only until the first release; afterwards migrations are added.
import { writeFile } from 'node:fs/promises';
import { schemaText } from '../../src/server/db/schemaText.ts';

await writeFile(new URL('../../db/migrations/0001_schema.sql', import.meta.url), await schemaText());
