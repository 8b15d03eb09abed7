import type { CallResponse } from '#respondent/api/api.ts';

/** The words of a person's registrations. */

export type OwnConsult = CallResponse<'getOwnConsults'>[number];
export type FreeSlot = CallResponse<'getFreeSlots'>[number];

const STATUS: Readonly<Record<OwnConsult['status'], string>> = {
  '01': '已收到，等待安排时间',
  '02': '已约好',
  '03': '已完成',
  '04': '已取消',
  '05': '上次没有见到，需要时可以再申请',
};
const TYPE: Readonly<Record<OwnConsult['consulttype'], string>> = { '01': '面谈', '02': '电话', '03': '视频', '04': '团体' };

export const statusWords = ({ status }: OwnConsult): string => STATUS[status];
export const typeWords = ({ consulttype }: Pick<OwnConsult, 'consulttype'>): string => TYPE[consulttype];
