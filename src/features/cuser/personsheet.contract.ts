import { z } from 'zod';
import { carers, defineAction, only, staffOf } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';

/** The persons of a list as a sheet; students in the columns the register is imported with. */
export const exportCuserList = defineAction({
  name: 'as.m.cuser.exportCuserList',
  title: '导出受测者',
  allow: only(carers, staffOf('archive.export')),
  kind: 'export',
  request: z.strictObject(getCUserPageList.request.omit({ page: true, pageSize: true }).shape),
  response: file,
});
