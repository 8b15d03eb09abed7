import { shanghaiTime } from '#domain/base/calendar.ts';
import { handle } from '#server/dispatch/handle.ts';
import { describeDevice } from '#features/account/describeDevice.ts';
import { ipRegionOf } from '#features/account/ipRegion.ts';
import * as contract from '#features/audit/login/login.contract.ts';
import * as queries from '#features/audit/login/login.queries.ts';

const getLoginPageList = handle(
  contract.getLoginPageList,
  async ({ musercode, page, pageSize, orderby: _orderby, isasc: _isasc, ...filters }, { scope, caller }) => {
    const hasBelow = caller.musertype === '001' || caller.musertype === '002';
    const institution = (hasBelow ? musercode : undefined) ?? caller.musercode;
    const { total, rows } = await queries.findLogins(scope, institution, filters, { page, pageSize });
    return {
      total,
      rows: rows.map(({ ip, useragent, ...row }) => ({
        ...row,
        id: Number(row.id),
        time: shanghaiTime(row.time),
        ok: row.ok === 1,
        device: describeDevice(useragent ?? ''),
        ip: ip ?? '',
        place: ipRegionOf(ip ?? ''),
      })),
    };
  },
);

export const loginHandlers = [getLoginPageList];
