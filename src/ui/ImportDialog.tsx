import { later } from '#ui/later.tsx';

/**
 * The import of persons: file → columns and rows checked, mended in place → all or the good rows → result with a way
 * back. Mount it while it is open. Closing loses nothing: every edit lies with the server, 最近的导入 goes on with it.
 */
export const ImportDialog = later(() => import('#ui/import/ImportBox.tsx').then((file) => file.ImportBox));
