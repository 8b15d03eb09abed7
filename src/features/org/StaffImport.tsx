import { Alert, Button, FileInput, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { staffSheet } from '#contract/staff.columns.ts';
import { Badge } from '#ui/badges.tsx';
import { ExportButton } from '#ui/ExportButton.tsx';
import { sayError } from '#ui/say.ts';
import { csvOf } from '#ui/csv.ts';
import { save, upload } from '#ui/transfer.ts';
import { refreshed } from '#ui/useAction.ts';
import type { ResponseOf } from '#contract/action.ts';
import { selectDeptTreeList } from '#features/org/dept.contract.ts';
import { selectUserList } from '#features/org/user.contract.ts';
import { checkUserSheet, exportUserTemplate, importUser, type UserSheetCheck } from '#features/org/userSheet.contract.ts';
import classes from './org.module.css';

type Made = ResponseOf<typeof importUser>;

/** Staff from a sheet: checked first, then all or the good rows; the one-time passwords are shown and saved this once. */
export function StaffImport({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [checked, setChecked] = useState<UserSheetCheck>();
  const [made, setMade] = useState<Made>();
  const [busy, setBusy] = useState(false);
  const working = (work: Promise<unknown>) => {
    setBusy(true);
    work.catch(sayError).finally(() => setBusy(false));
  };
  const choose = (next: File | null) => {
    setFile(next);
    setChecked(undefined);
    if (next) working(upload(checkUserSheet, next, {}).then(setChecked));
  };
  const send = (skiperror: '0' | '1') => {
    if (file)
      working(
        upload(importUser, file, { skiperror }).then(
          (result) => (setMade(result), refreshed(client, [selectUserList, selectDeptTreeList])),
        ),
      );
  };
  const keep = () => {
    const lines = [
      ['姓名', '登录账号', '一次性初始密码', '有效期至'],
      ...(made?.created ?? []).map((one) => [one.realname, one.sysusername, one.onetime, made?.validuntil ?? '']),
    ];
    save(csvOf(lines), '初始密码.csv');
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="批量新增用户"
      size={checked || made ? 'min(1100px, 96vw)' : 560}
      closeOnClickOutside={false}
      closeOnEscape={!made}
      withCloseButton={!made}
    >
      {made ? (
        <Stack gap="md">
          <Alert color="green" variant="light" role="status">
            已新增 {made.created.length} 人{made.failed > 0 && `，${made.failed} 行有误未新增`}
          </Alert>
          <Alert color="orange" variant="light">
            以下初始密码只显示这一次，请立即下载或记录。每个密码只能登录一次，{made.validuntil} 前有效。
          </Alert>
          <div
            className={classes['frame']}
            style={{ maxHeight: '50vh', overflow: 'auto' }}
            tabIndex={0}
            role="region"
            aria-label="初始密码"
          >
            <table className={classes['table']}>
              <thead>
                <tr>
                  <th scope="col">姓名</th>
                  <th scope="col">登录账号</th>
                  <th scope="col">一次性初始密码</th>
                </tr>
              </thead>
              <tbody>
                {made.created.map((one) => (
                  <tr key={one.row}>
                    <td>{one.realname}</td>
                    <td>{one.sysusername}</td>
                    <td>
                      <Text span ff="monospace">
                        {one.onetime}
                      </Text>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={keep}>
              下载初始密码
            </Button>
            <Button onClick={onClose}>我已保存</Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="md">
          <Group align="end">
            <FileInput
              label="用户名单"
              placeholder="选择 .xlsx 或 .csv 文件"
              accept=".xlsx,.csv"
              value={file}
              onChange={choose}
              clearable
              style={{ flex: '1 1 220px' }}
            />
            <ExportButton action={exportUserTemplate} request={{}} title="用户名单模板">
              下载模板
            </ExportButton>
          </Group>
          {!checked && (
            <Text size="sm" c="dimmed">
              {busy
                ? '正在检查…'
                : '先检查、后新增：选择文件后会逐行检查账号、部门和角色，确认前不会新增任何用户。一次最多 300 人。'}
            </Text>
          )}
          {checked && (
            <>
              <Text role="status">
                共 {checked.rows.length} 行：可新增 {checked.good} 行{checked.bad > 0 && `，${checked.bad} 行需要改正`}
              </Text>
              <div
                className={classes['frame']}
                style={{ maxHeight: '50vh', overflow: 'auto' }}
                tabIndex={0}
                role="region"
                aria-label="检查结果"
              >
                <table className={classes['table']}>
                  <thead>
                    <tr>
                      <th scope="col">行</th>
                      {staffSheet.columns.map((one) => (
                        <th key={one.key} scope="col">
                          {one.head}
                        </th>
                      ))}
                      <th scope="col">检查结果</th>
                    </tr>
                  </thead>
                  <tbody>
                    {checked.rows.map((row) => (
                      <tr key={row.row}>
                        <td>{row.row}</td>
                        {staffSheet.columns.map((one) => (
                          <td
                            key={one.key}
                            className={row.errors.some((error) => error.key === one.key) ? classes['bad'] : undefined}
                          >
                            {row.texts[one.key] || '—'}
                          </td>
                        ))}
                        <td className={classes['name']}>
                          {row.ok ? (
                            row.warnings.length ? (
                              <Badge tone="amber">{row.warnings.map((one) => one.message).join('；')}</Badge>
                            ) : (
                              <Badge tone="green">可新增</Badge>
                            )
                          ) : (
                            <span className={classes['bad']}>
                              {row.errors.map((error) => error.message).join('；') || '缺少必填列'}
                            </span>
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  取消
                </Button>
                {checked.bad > 0 && checked.good > 0 && (
                  <Button variant="light" loading={busy} onClick={() => send('1')}>
                    只新增正确的 {checked.good} 行
                  </Button>
                )}
                <Button loading={busy} disabled={checked.bad > 0 || checked.good === 0} onClick={() => send('0')}>
                  全部新增
                </Button>
              </Group>
            </>
          )}
        </Stack>
      )}
    </Modal>
  );
}
