import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { archiveFieldsOf } from '#domain/person/archive.ts';
import { OwnFieldKind } from '#domain/person/ownFields.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useSearchParams } from '#ui/router/router.tsx';
import {
  deleteArchiveField,
  getArchiveFieldList,
  getCUserArchiveHeadList,
  updateArchiveField,
  type OwnFieldRow,
} from '#features/archivefield/archivefield.contract.ts';
import { ArchiveFieldDrawer } from '#features/archivefield/ArchiveFieldDrawer.tsx';
import classes from './archivefield.module.css';

const MARKS = [
  ['required', '必填'],
  ['inlist', '列表'],
  ['insearch', '筛选'],
  ['inexport', '导出'],
] as const;

/** 档案字段: the institution's own fields of a population, beside those that the product has. */
export default function ArchiveFieldPage() {
  const user = useUser();
  const [params] = useSearchParams();
  const [appid, setAppid] = useState<string>(params.get('appid') ?? (user.appid || Appid.students));
  const [editing, setEditing] = useState<OwnFieldRow | 'new'>();
  const invalidates = [getArchiveFieldList, getCUserArchiveHeadList];
  const fields = useActionQuery(getArchiveFieldList, { appid });
  const remove = useActionMutation(deleteArchiveField, { invalidates, successMessage: '删除成功' });
  const change = useActionMutation(updateArchiveField, { invalidates, successMessage: '保存成功' });
  return (
    <PageStack>
      <Section
        title="本机构的字段"
        right={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            新增字段
          </Button>
        }
      >
        <Text size="sm" c="dimmed" mb="md">
          新增的字段出现在这个人群的建档表单、个人档案、列表、筛选、导出和导入模板里。用过的字段可以隐藏，已填的内容保留。
        </Text>
        <div className={classes['populations']}>
          <SegmentedControl
            value={appid}
            onChange={setAppid}
            data={Appid.options.map(({ value, label }) => ({ value, label }))}
            aria-label="人群"
          />
        </div>
        <Loaded read={fields} skeleton={<Skeletons.Lines count={4} />}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title="还没有自定义字段" hint="例如责任产检组、社团、入团日期；每个人群最多 10 个" />
            ) : (
              <ol className={classes['fields']}>
                {rows.map((row) => (
                  <li key={row.fieldid}>
                    <FieldLine
                      row={row}
                      onEdit={() => setEditing(row)}
                      onShow={(enabled) => change.mutate({ fieldid: row.fieldid, version: row.version, enabled })}
                      onDelete={() => remove.mutateAsync({ fieldid: row.fieldid })}
                    />
                  </li>
                ))}
              </ol>
            )
          }
        </Loaded>
      </Section>
      <Section title="系统已有的字段">
        <Group gap={6}>
          {(archiveFieldsOf[appid] ?? [])
            .filter(({ code }) => code !== 'gradecode')
            .map(({ code, title, isSensitive }) => (
              <Badge key={code} tone={isSensitive ? 'orange' : 'gray'}>
                {isSensitive ? `${title}（敏感）` : title}
              </Badge>
            ))}
        </Group>
      </Section>
      {editing && (
        <ArchiveFieldDrawer row={editing} appid={appid} invalidates={invalidates} onClose={() => setEditing(undefined)} />
      )}
    </PageStack>
  );
}

interface LineProps {
  row: OwnFieldRow;
  onEdit: () => void;
  onShow: (enabled: 0 | 1) => void;
  onDelete: () => unknown;
}

function FieldLine({ row, onEdit, onShow, onDelete }: LineProps) {
  const marks = MARKS.filter(([key]) => row[key] === 1).map(([, label]) => label);
  return (
    <Group justify="space-between" gap="sm" align="flex-start">
      <div className={classes['words']}>
        <Group gap="xs">
          <Text fw={600}>{row.fieldname}</Text>
          <Badge tone="lime">{OwnFieldKind.label(row.kind)}</Badge>
          {row.sensitive === 1 && <Badge tone="orange">敏感</Badge>}
          {row.enabled === 0 && <Badge tone="gray">已隐藏</Badge>}
        </Group>
        {row.options.length > 0 && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {row.options.map(({ label }) => label).join('、')}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {[...marks, row.used > 0 ? `${row.used} 份档案已填` : '还没有人填'].join(' · ')}
        </Text>
      </div>
      <Group gap={4}>
        <Button variant="subtle" size="compact-sm" onClick={onEdit} aria-label={`修改 ${row.fieldname}`}>
          修改
        </Button>
        {row.used > 0 || row.enabled === 0 ? (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => onShow(row.enabled === 1 ? 0 : 1)}
            aria-label={`${row.enabled === 1 ? '隐藏' : '恢复显示'} ${row.fieldname}`}
          >
            {row.enabled === 1 ? '隐藏' : '恢复显示'}
          </Button>
        ) : (
          <ConfirmButton name={row.fieldname} onConfirm={onDelete} />
        )}
      </Group>
    </Group>
  );
}
