import { z } from 'zod';
import { contactPhone, day, flag } from '#contract/field.ts';

/** The editable fields of an institution. Place in the tree and rights have their own calls; type and sector never change. */

const region = z.string().regex(/^\d{6}$/, '地区编码不正确');
const text = (maxLength: number) => z.string().trim().max(maxLength, `不超过 ${maxLength} 个字`);

/** Short name and contacts of an institution. Its own account may change these. */
export const contactFields = {
  shortname: text(20).nullable().optional().describe('简称'),
  realname: text(32).nullable().optional().describe('负责人'),
  phonenumber: contactPhone.nullable().optional().describe('联系电话'),
  address: text(128).nullable().optional().describe('地址'),
  /** a file that the caller uploaded as a logo; null removes the logo. Responses contain its URL as `logo` */
  logofileid: z.uuid().nullable().optional().describe('机构标志'),
};

/** The fields that only institutions above may change. */
export const ruledFields = {
  insname: z.string().trim().min(2, '机构名称至少 2 个字').max(64, '机构名称不超过 64 个字').optional().describe('机构名称'),
  provincecode: region.nullable().optional().describe('省'),
  citycode: region.nullable().optional().describe('市'),
  districtcode: region.nullable().optional().describe('区县'),
  /** last day on which its users can sign in; null: no end */
  expiredate: day.nullable().optional().describe('有效期至'),
  /** level from which a result counts as 异常 in the statistics, 1–4 */
  abnormalminlevel: z.coerce.number().int().min(1).max(4).optional().describe('异常统计起点'),
  showreportdefault: flag.optional().describe('新报告默认给受测者看'),
  /** all accounts of the institution need a second factor */
  mustfactor: flag.optional().describe('登录二次验证'),
  /** accounts of the institution may trust a browser for 30 days */
  trustdevice: flag.optional().describe('设备免二次验证'),
  contractno: text(40).nullable().optional().describe('合同号'),
  remark: text(500).nullable().optional().describe('备注'),
};
