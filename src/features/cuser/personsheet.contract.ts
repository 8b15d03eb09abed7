import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';

/** Exports the persons of a list as a worksheet. */
export const exportCuserList = defineAction({
  name: 'as.m.cuser.exportCuserList',
  title: '导出受测者',
  allow: forTypes(CARE_TYPES, staffOf('archive.export')),
  kind: 'export',
  request: z.strictObject(getCUserPageList.request.omit({ page: true, pageSize: true }).shape),
  response: file,
});
