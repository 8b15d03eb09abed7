import { Button, FileButton, Group, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { IconFileSpreadsheet, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { xlsxMime } from '#contract/file.ts';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { upload } from '#ui/api/transfer.ts';
import { invalidateActions, useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { Link, useNavigate } from '#ui/router/router.tsx';

import {
  copyExcelTemplate,
  deleteExcelTemplate,
  getExcelTemplate,
  getExcelTemplateList,
  updateExcelTemplate,
  uploadExcelTemplate,
  type TemplateRow,
} from '#features/exceltemplate/exceltemplate.contract.ts';
import classes from '#features/exceltemplate/page/excel.module.css';

const pathOfTemplate = (templateid: number) => `/statistics/excel/${templateid}`;
const MB = 1024 * 1024;

/** 上报表格: the bureau's own Excel forms, which the published figures fill. */
export default function ExcelTemplatesPage() {
  const read = useActionQuery(getExcelTemplateList, {});
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [renaming, setRenaming] = useState<TemplateRow>();
  const remove = useActionMutation(deleteExcelTemplate, { invalidates: [getExcelTemplateList], successMessage: '删除成功' });
  const copy = useActionMutation(copyExcelTemplate, {
    invalidates: [getExcelTemplateList],
    onDone: ({ templateid }) => navigate(pathOfTemplate(templateid)),
  });
  const take = async (file: File | null) => {
    if (!file) return;
    // The server refuses it too; this spares the upload.
    if (file.size > MB) return notify.warn('模板不能超过 1 MB：请删去图片和无关的工作表，另存后再上传');
    setIsBusy(true);
    try {
      const { templateid } = await upload(uploadExcelTemplate, file, {});
      await invalidateActions(client, [getExcelTemplateList]);
      notify.done('上传成功，请选择要填写的单元格');
      navigate(pathOfTemplate(templateid));
    } catch (fault) {
      notifyError(fault);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <PageStack>
      <Section
        title="上报表格"
        right={
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconFileSpreadsheet size={16} aria-hidden />}
              loading={copy.isPending}
              onClick={() => copy.mutate({})}
            >
              使用现成表格
            </Button>
            <FileButton accept={`.xlsx,${xlsxMime}`} onChange={(file) => void take(file)}>
              {(props) => (
                <Button {...props} leftSection={<IconUpload size={16} aria-hidden />} loading={isBusy}>
                  上传表格
                </Button>
              )}
            </FileButton>
          </Group>
        }
      >
        <Text size="sm" c="dimmed" mb="md">
          上传本单位要求的 Excel 表格（.xlsx，1 MB
          以内，不含宏），选择一次每个单元格填什么，以后每个时段一键填写；也可以用现成的“学生心理健康排查统计表”，每所学校一行。数字都来自已发布的统计，不含姓名。
        </Text>
        <Loaded read={read} skeleton={<Skeletons.Lines count={4} />}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title="还没有表格" hint="上传本单位的表格，或从现成的表格开始" />
            ) : (
              <ul className={classes['forms']} aria-label="上报表格">
                {rows.map((row) => (
                  <li key={row.templateid}>
                    <div className={classes['words']}>
                      <Group gap="xs">
                        <Link to={pathOfTemplate(row.templateid)}>
                          <strong>{row.title}</strong>
                        </Link>
                        <Badge tone="gray">{Appid.label(row.appid)}</Badge>
                      </Group>
                      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                        {row.filename} · {row.cells > 0 ? `已选择 ${row.cells} 处` : '还没有选择单元格'} ·{' '}
                        {row.createtime.slice(0, 16)}
                      </Text>
                    </div>
                    <Group gap={4}>
                      <Button
                        variant="subtle"
                        size="compact-sm"
                        onClick={() => setRenaming(row)}
                        aria-label={`重命名 ${row.title}`}
                      >
                        重命名
                      </Button>
                      <ConfirmButton
                        name={row.title}
                        aria-label={`删除 ${row.title}`}
                        onConfirm={() => remove.mutateAsync({ templateid: row.templateid })}
                      />
                    </Group>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {renaming && <RenameDrawer row={renaming} onClose={() => setRenaming(undefined)} />}
    </PageStack>
  );
}

function RenameDrawer({ row: { templateid, version, title }, onClose }: { row: TemplateRow; onClose: () => void }) {
  const form = useActionForm(updateExcelTemplate, {
    initial: { templateid, version, title },
    invalidates: [getExcelTemplateList, getExcelTemplate],
    onDone: onClose,
    successMessage: '已重命名',
  });
  return (
    <FormDrawer title="重命名" onClose={onClose} form={form}>
      <TextInput {...form.field('title')} maxLength={60} data-autofocus />
    </FormDrawer>
  );
}
