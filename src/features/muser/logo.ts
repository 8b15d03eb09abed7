import type { Context } from '#server/dispatch/handle.ts';
import { claimFiles, refOf } from '#features/file/attachments.ts';
import { findFile, removeFilesOf } from '#features/file/file.queries.ts';
import { setLogo } from '#features/muser/muser.queries.ts';

/**
 * Gives an institution the picture its editor has uploaded, or none (null), and removes the one before. The file becomes the
 * institution's own, so that whoever changes the logo next finds it, and public: it is shown on every page, by an address that lasts.
 * A file that is somebody else's, used already or no logo is 130001. The institution's row has to be the caller's to change.
 */
export async function placeLogo(ctx: Context<'staff'>, musercode: string, fileid: string | null): Promise<void> {
  const { scope, storage, afterCommit } = ctx;
  const refcode = `logo:${musercode}`;
  for (const path of await removeFilesOf(scope, refcode)) afterCommit(() => storage.delete(path));
  if (fileid !== null) await claimFiles(ctx, [fileid], 'logo', { refcode, musercode, ispublic: 1 });
  const row = fileid === null ? undefined : await findFile(scope, fileid);
  await setLogo(scope, musercode, row ? refOf(ctx, row).url : null);
}
