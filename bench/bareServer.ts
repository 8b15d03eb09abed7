// What the budget of a list was reckoned from (performance.md, sections 6 to 8), to be measured beside the lists of the product: 20 rows of
// 200,000 under row-level security, by Kysely on named statements, through Fastify, without a session, rights, a total or names.
// `node bench/bareServer.ts <socket folder> <port of the database> <owner> <port>`
import Fastify from 'fastify';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { z } from 'zod';

const [host = '', databasePort = '', user = '', port = ''] = process.argv.slice(2);
const target = { host, port: Number(databasePort), user };

/** Statements are named once by their text, as in src/server/db/pools.ts. */
class NamingClient extends pg.Client {
  readonly #names = new Map<string, string>();
  override query = ((text: unknown, values?: unknown) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return (super.query as (one: unknown) => unknown).call(this, text);
    const name = this.#names.get(text) ?? `s${this.#names.size}`;
    this.#names.set(text, name);
    return super.query({ name, text, values });
  }) as pg.Client['query'];
}

interface Bare {
  bare_page: { id: number; tenant: string; name: string; kind: string; state: number; phone: string; note: string; made: Date };
}

const owner = new pg.Client({ ...target, database: 'postgres' });
await owner.connect();
await owner.query('drop database if exists bare');
await owner.query('create database bare');
await owner.end();
const maker = new pg.Client({ ...target, database: 'bare' });
await maker.connect();
await maker.query(`
  create table bare_page (id int primary key, tenant text not null, name text not null, kind text not null, state int not null, phone text not null, note text not null, made timestamptz not null);
  insert into bare_page select n, 't' || n % 200, '学生' || n, '0' || n % 3, n % 5, '138' || n, '备注' || n, now() - n * interval '1 minute' from generate_series(1, 200000) n;
  create index on bare_page (tenant, made desc);
  alter table bare_page enable row level security;
  create policy own on bare_page using (tenant = current_setting('app.tenant'));
  grant select on bare_page to xinli_stats;
  analyze bare_page;
`);
await maker.end();

const pool = new pg.Pool({ ...target, database: 'bare', max: 12, Client: NamingClient as typeof pg.Client });
pool.on('error', () => undefined);
const request = z.object({ tenant: z.int().min(0).max(199), pageSize: z.int().max(100).default(20) });

const app = Fastify();
app.post('/page', async (asked) => {
  const { tenant, pageSize } = request.parse(asked.body);
  const client = await pool.connect();
  try {
    await client.query(`begin; set local role xinli_stats; set local app.tenant = 't${tenant}'`);
    const db = new Kysely<Bare>({
      dialect: new PostgresDialect({
        pool: {
          options: {},
          connect: async () => Object.assign(Object.create(client) as pg.PoolClient, { release: () => undefined }),
          end: async () => undefined,
        },
      }),
    });
    const list = await db.selectFrom('bare_page').selectAll().orderBy('made', 'desc').limit(sql.lit(pageSize)).execute();
    await client.query('commit');
    return { errorCode: 0, errorMsg: '', data: { list } };
  } finally {
    client.release();
  }
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
