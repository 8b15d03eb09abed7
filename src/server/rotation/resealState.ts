import { createHash } from 'node:crypto';
import pg from 'pg';
import { asOwner, type Target } from '#server/db/roles.ts';
import { reseal, type Resealed, type ResealOptions } from '#server/rotation/reseal.ts';
import { COPY_COLUMNS, ENCRYPTED_COLUMNS, WRAPPED_COLUMNS } from '#server/sealing/encryptedColumns.ts';
import { SEALED_COLUMNS } from '#server/sealing/sealedColumns.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** A version with other lists seals its new columns with its first start. */
const lists = createHash('sha256')
  .update(JSON.stringify([SEALED_COLUMNS, ENCRYPTED_COLUMNS, WRAPPED_COLUMNS, COPY_COLUMNS]))
  .digest('base64url');

/** Says that every row is sealed with this key as these lists ask. */
const stateOf = (cipher: FieldCipher): string => `${cipher.checkValue} ${lists}`;

/** Whether every stored value is sealed with the current key, as far as the last whole pass knows. */
export async function isResealed(db: Pick<pg.Pool, 'query'>, cipher: FieldCipher): Promise<boolean> {
  const { rows } = await db.query<{ resealed: string | null }>('select resealed from auth.keycheck');
  return rows[0]?.resealed === stateOf(cipher);
}

/**
 * Passes over the stored values until nothing is left, and notes it. A second pass finds what calls wrote meanwhile that had begun with
 * the former key. Returns the sum. Values that open with no key stay, and are in `broken`.
 */
export async function resealAll(owner: pg.ClientBase, cipher: FieldCipher, options: ResealOptions = {}): Promise<Resealed> {
  const state = stateOf(cipher);
  const sum: Resealed = { rows: 0, values: 0, broken: [] };
  for (;;) {
    const { rows, values, broken } = await reseal(owner, cipher, options);
    sum.rows = Math.max(sum.rows, rows);
    sum.values += values;
    sum.broken = broken;
    if (options.isStopping?.() || stateOf(cipher) !== state) return sum;
    if (values === 0) break;
  }
  await owner.query('update auth.keycheck set resealed = $1 where value = $2', [state, cipher.checkValue]);
  return sum;
}

/** Seals the stored values in the background of a server: after an upgrade plain ones, after a change of the key those of the former. */
export class BackgroundReseal {
  readonly #target: Target;
  readonly #cipher: FieldCipher;
  readonly #authn: Pick<pg.Pool, 'query'>;
  #isStopping = false;

  constructor(target: Target, cipher: FieldCipher, authn: Pick<pg.Pool, 'query'>) {
    this.#target = target;
    this.#cipher = cipher;
    this.#authn = authn;
  }

  /** Does what is left. Does nothing while this server has another key than the database names. */
  async run(): Promise<void> {
    const { rows } = await this.#authn.query<{ value: string }>('select value from auth.keycheck');
    if (rows[0]?.value !== this.#cipher.checkValue || (await isResealed(this.#authn, this.#cipher))) return;
    const owner = new pg.Client(asOwner(this.#target));
    // A connection that breaks fails its statement, too.
    owner.on('error', () => undefined);
    await owner.connect();
    try {
      const { broken } = await resealAll(owner, this.#cipher, { isStopping: () => this.#isStopping });
      if (broken.length > 0)
        throw new Error(`有内容无法用任何密钥打开：${broken.map(({ place, count }) => `${place} ${count} 条`).join('，')}`);
    } finally {
      await owner.end();
    }
  }

  /** Ends a pass that runs, before its next portion. */
  stop(): void {
    this.#isStopping = true;
  }
}
