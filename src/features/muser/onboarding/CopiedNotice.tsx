import { Alert } from '@mantine/core';
import { Appid } from '#domain/base/enums.ts';
import type { CopiedSetup } from '#features/muser/muser.contract.ts';
import { warningLevelOptions } from '#features/muser/edit/WarningLevelField.tsx';
import { loginmodeLabels } from '#features/muser/entry/entry.contract.ts';

/** Says what a new institution got from its reference institution, and what it did not get. */
export function CopiedNotice({ copied }: { copied: CopiedSetup }) {
  const { appids, stages, loginmode, rights, missingrights, abnormalminlevel, showreportdefault } = copied;
  const level = warningLevelOptions.find(({ value }) => value === abnormalminlevel)?.label;
  const lines = [
    appids.length > 0 &&
      `应用：${appids.map((appid) => Appid.label(appid)).join('、')}（${stages > 0 ? `${stages} 个阶段` : '全部阶段'}）`,
    loginmode && `二维码：身份核对方式“${loginmodeLabels[loginmode as '01']}”、欢迎语与签名设置，二维码本身是新的`,
    `权限：${rights} 项${missingrights > 0 ? `；另有 ${missingrights} 项上级机构没有，未复制` : ''}`,
    level && `统计中计入“需关注”的起点：${level}`,
    showreportdefault !== undefined && `受测者交卷后${showreportdefault ? '可以' : '不可以'}查看自己的报告`,
  ].filter((line) => typeof line === 'string' && line !== '');
  return (
    <Alert color="green" title={`已从“${copied.insname}”复制`} mb="md">
      <ul style={{ margin: 0, paddingLeft: 18 }}>
        {lines.map((line) => (
          <li key={String(line)}>{line}</li>
        ))}
      </ul>
      没有复制：次数、账号、部门、受测者与联系人。
    </Alert>
  );
}
