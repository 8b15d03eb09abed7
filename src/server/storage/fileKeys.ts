import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { FileAltered } from '#server/storage/fileSealing.ts';

/** The encrypted column with the keys of files, for a rotation of the master key: `auth.filekey.sealed`. */
export const FILE_KEYS = { musercode: 'files', context: 'filekey.sealed' } as const;

/**
 * The random key of each stored file, encrypted in the table `auth.filekey`. Without its row a file cannot be read any more, also in a
 * backup of the store. A rotation of the master key writes only this table.
 */
export class FileKeys {
  readonly #authn: pg.Pool;
  readonly #cipher: FieldCipher;

  constructor(authn: pg.Pool, cipher: FieldCipher) {
    this.#authn = authn;
    this.#cipher = cipher;
  }

  /** The key is sealed together with the name of its file, so a row that was copied to another file is refused. */
  #seal(path: string, filekey: Buffer) {
    return this.#cipher.encrypt(FILE_KEYS.musercode, FILE_KEYS.context, `${path} ${filekey.toString('base64')}`);
  }

  #open(path: string, sealed: string): Buffer {
    let text: string;
    try {
      text = this.#cipher.decrypt(FILE_KEYS.musercode, FILE_KEYS.context, sealed);
    } catch (error) {
      throw new FileAltered(path, { cause: error });
    }
    const [owner, filekey = ''] = text.split(' ');
    if (owner !== path) throw new FileAltered(path);
    return Buffer.from(filekey, 'base64');
  }

  /** Returns the key of a file, and makes one if it has none. `filekey`: the key of a file that is copied. */
  async make(path: string, filekey: Buffer = randomBytes(32)): Promise<Buffer> {
    const { rows } = await this.#authn.query<{ sealed: string }>(
      `insert into auth.filekey (path, sealed) values ($1, $2)
       on conflict (path) do update set path = excluded.path returning sealed`,
      [path, this.#seal(path, filekey)],
    );
    return this.#open(path, rows[0]?.sealed ?? '');
  }

  /** Returns the key of a file; undefined when it has none: it was stored before files were sealed, or it was deleted. */
  async find(path: string): Promise<Buffer | undefined> {
    const { rows } = await this.#authn.query<{ sealed: string }>('select sealed from auth.filekey where path = $1', [path]);
    return rows[0] && this.#open(path, rows[0].sealed);
  }

  /** Deletes the key of a file; succeeds when it has none. */
  async delete(path: string): Promise<void> {
    await this.#authn.query('delete from auth.filekey where path = $1', [path]);
  }
}
