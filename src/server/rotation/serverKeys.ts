import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { readKeyring } from '#server/security/keyFile.ts';
import { wrongKey } from '#server/security/masterKey.ts';
import { keyFileOf } from '#server/security/keyFile.ts';

/** Milliseconds between two looks at the keys. */
const LOOK_MS = 2_000;

/** What a server needs to follow its keys. */
interface KeyTools {
  dataDir: string;
  cipher: FieldCipher;
  authn: Pick<pg.Pool, 'query'>;
  log: (line: Record<string, unknown>) => void;
}

/**
 * Follows the key file and the current key of the database while the server runs, and tells the database which keys this server has.
 * So a change of the key waits until every server can read what the others will write (docs/decisions/0102).
 */
export class ServerKeys {
  readonly #tools: KeyTools;
  readonly #serverid = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(tools: KeyTools) {
    this.#tools = tools;
  }

  /** Begins to follow. @throws StartError when the file lacks the current key. */
  async start(): Promise<void> {
    // First the row: a change of the key that begins now waits until this server has read the file.
    await this.#report([]);
    if (!(await this.look())) throw wrongKey(keyFileOf(this.#tools.dataDir));
    this.#timer = setInterval(() => {
      this.#looking ??= this.look()
        .then(
          () => undefined,
          (error: unknown) => this.#tools.log({ level: 'error', keys: String(error) }),
        )
        .finally(() => (this.#looking = undefined));
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** Reads the keys and reports them. Returns false when the file lacks the current key; the server then goes on with the keys it had. */
  async look(): Promise<boolean> {
    const { dataDir, cipher, authn, log } = this.#tools;
    const { rows } = await authn.query<{ value: string }>('select value from auth.keycheck');
    const ring = await readKeyring(dataDir, rows[0]?.value);
    if (ring) cipher.use(ring);
    else log({ level: 'error', keys: `the file ${keyFileOf(dataDir)} lacks the current key: copy it from another server` });
    await this.#report(cipher.ring.keys.filter((key) => !key.isRemoved).map((key) => key.checkValue));
    return ring !== undefined;
  }

  async #report(knows: readonly string[]): Promise<void> {
    await this.#tools.authn.query(
      `insert into auth.keyserver (serverid, name, knows, current, seentime) values ($1, $2, $3, $4, now())
       on conflict (serverid) do update set knows = excluded.knows, current = excluded.current, seentime = excluded.seentime`,
      [this.#serverid, `${hostname()} ${process.pid}`, knows, this.#tools.cipher.checkValue],
    );
  }

  /** Ends following. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#tools.authn.query("delete from auth.keyserver where serverid = $1 or seentime < now() - interval '1 day'", [
      this.#serverid,
    ]);
  }
}
