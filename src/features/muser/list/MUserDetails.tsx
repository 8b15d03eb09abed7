import { Button, Drawer, Group } from '@mantine/core';
import { Appid, Enabled, MUserType, Sector } from '#domain/base/enums.ts';
import { formatNumber } from '#domain/base/number.ts';
import { Facts } from '#ui/display/Section.tsx';
import { warningLevelOptions } from '#features/muser/edit/WarningLevelField.tsx';
import { loginmodeLabels } from '#features/muser/entry/entry.contract.ts';
import type { MUserRow } from '#features/muser/muser.contract.ts';

const yesNo = (flag: number) => (flag === 1 ? '是' : '否');

/** 详情: the facts of an institution, to read without editing. */
export function MUserDetails({ row, onClose, onEdit }: { row: MUserRow; onClose: () => void; onEdit: () => void }) {
  const hasPersons = row.musertype === '004' || row.musertype === '005';
  return (
    <Drawer opened onClose={onClose} title={row.insname} size="min(560px, 100vw)">
      <Facts
        facts={[
          ['状态', Enabled.label(row.enabled)],
          ['类型', MUserType.label(row.musertype)],
          ['行业', Sector.label(row.sector)],
          ['上级机构', row.parentname],
          ['登录账号', row.username],
          ['编号', row.musercode],
          ['简称', row.shortname],
          ['地区', row.regionname],
          ['地址', row.address],
          ['负责人', row.realname],
          ['联系电话', row.phonenumber],
          ['有效期至', row.expiredate ?? '长期'],
          ['合同号', row.contractno],
          ['开通时间', row.createtime],
          ['下级机构', formatNumber(row.childcount)],
          ['用户', formatNumber(row.staffcount)],
          ['已发放 / 已使用 / 剩余次数', [row.granted, row.used, row.free].map(formatNumber).join(' / ')],
          ['登录须二次验证', yesNo(row.mustfactor)],
          ['设备可免二次验证', yesNo(row.trustdevice)],
          ...(hasPersons
            ? ([
                ['受测者', formatNumber(row.personcount)],
                ['应用', row.apps.map((app) => Appid.label(app.appid)).join('、')],
                ['身份核对方式', loginmodeLabels[row.loginmode as '01'] ?? ''],
                ['“需关注”的起点', warningLevelOptions.find(({ value }) => value === row.abnormalminlevel)?.label ?? ''],
                ['受测者可看自己的报告', yesNo(row.showreportdefault)],
              ] as const)
            : []),
          ['备注', row.remark],
        ]}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onEdit}>
          修改
        </Button>
        <Button onClick={onClose}>关闭</Button>
      </Group>
    </Drawer>
  );
}
