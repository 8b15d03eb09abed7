import type { Context } from '#server/dispatch/handle.ts';
import { claimFiles, fileRefOf } from '#features/file/attachments.ts';
import { findFile, removeFilesOf } from '#features/file/file.queries.ts';
import { setLogo } from '#features/muser/muser.queries.ts';

/**
 * Sets an uploaded file as the logo of an institution, or removes the logo (null), and deletes the old file. The file then belongs to
 * the institution, so that the next editor finds it. It is public under a permanent URL, because every page shows it. Refuses files of
 * others, files in use and files of another purpose with 130001. The caller must be allowed to change the institution.
 */
export async function replaceLogo(ctx: Context<'staff'>, musercode: string, fileid: string | null): Promise<void> {
  const { scope, storage, afterCommit } = ctx;
  const refcode = `logo:${musercode}`;
  for (const path of await removeFilesOf(scope, refcode)) afterCommit(() => storage.delete(path));
  if (fileid !== null) await claimFiles(ctx, [fileid], 'logo', { refcode, musercode, ispublic: 1 });
  const row = fileid === null ? undefined : await findFile(scope, fileid);
  await setLogo(scope, musercode, row ? fileRefOf(ctx, row).url : null);
}
