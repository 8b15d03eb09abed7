import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Enabled } from '#domain/base/enums.ts';
import { sectionTitles } from '#domain/report/template/template.ts';
import { LibraryTabs, TEMPLATES_PATH } from '#blocks/planlibrary/LibraryTabs.tsx';
import { Can } from '#ui/api/Can.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import { EnumBadge } from '#ui/display/badges.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { useList } from '#ui/list/useList.ts';
import { useNavigate } from '#ui/router/router.tsx';
import {
  deleteReportTemplate,
  getReportTemplateList,
  insertReportTemplate,
  updateReportTemplate,
  type TemplateRow,
} from '#features/reporttemplate/reporttemplate.contract.ts';

const column = columnsOf(getReportTemplateList);
const columns = [
  column('templatename', '模板名称', { width: 200 }),
  column('sections', '报告标题', (template) => template.title, { width: 170 }),
  column.of('chapters', '章节', (row) =>
    row.sections.sections
      .filter(({ on }) => on)
      .map(({ key, title }) => title || sectionTitles[key])
      .join('、'),
  ),
  column.of('owner', '来源', (row) => (row.own ? '本机构' : row.insname), { width: 116 }),
  column('enabled', '状态', (enabled) => <EnumBadge of={Enabled} code={enabled} tones={{ 1: 'green' }} />, { width: 84 }),
  column('plans', '使用的方案', (plans) => (plans ? `${plans} 个` : '—'), { width: 100, align: 'right' }),
  column('updatetime', '修改时间', (time) => time.slice(0, 16), { width: 156 }),
  column('templatecode', '编码', { hidden: true }),
];

const editPath = (query: string) => `${TEMPLATES_PATH}/edit${query}`;

/** 报告模板: the templates of custom reports, of the institution and of those above it. */
export default function TemplateListPage() {
  const list = useList(getReportTemplateList);
  const navigate = useNavigate();
  const affected = [getReportTemplateList];
  const change = useActionMutation(updateReportTemplate, { invalidates: affected, successMessage: '保存成功' });
  const remove = useActionMutation(deleteReportTemplate, { invalidates: affected, successMessage: '删除成功' });
  const hasFilters = Object.keys(list.filters).length > 0;
  const open = (row: TemplateRow) => navigate(editPath(`?templatecode=${row.templatecode}`));
  const create = (
    <Can call={insertReportTemplate}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => navigate(editPath(''))}>
        新建模板
      </Button>
    </Can>
  );
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="模板名称" />
          <EnumFilter name="enabled" label="状态" of={Enabled} />
        </>
      }
      toolbar={
        <>
          <LibraryTabs value="templates" />
          {create}
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="templatecode"
        label="报告模板列表"
        onOpen={open}
        actions={(row) => (
          <>
            <Button variant="subtle" size="compact-sm" onClick={() => open(row)}>
              {row.own ? '修改' : '查看'}
            </Button>
            <Can call={insertReportTemplate}>
              <Button variant="subtle" size="compact-sm" onClick={() => navigate(editPath(`?copyfrom=${row.templatecode}`))}>
                复制
              </Button>
            </Can>
            {row.own && (
              <Can call={updateReportTemplate}>
                <RowMenu label={`${row.templatename}的更多操作`}>
                  <RowMenuItem
                    onClick={() =>
                      change.mutate({ templatecode: row.templatecode, version: row.version, enabled: row.enabled ? 0 : 1 })
                    }
                  >
                    {row.enabled ? '停用' : '启用'}
                  </RowMenuItem>
                  <RowMenuDelete name={row.templatename} onConfirm={() => remove.mutate({ templatecode: row.templatecode })} />
                </RowMenu>
              </Can>
            )}
          </>
        )}
        empty={
          <EmptyState
            filtered={hasFilters}
            reset={() => list.setFilters({})}
            {...(hasFilters ? {} : { title: '还没有报告模板', hint: '模板决定自定义报告有哪些章节、用什么标题，在方案里选用' })}
          >
            {create}
          </EmptyState>
        }
      />
    </ListPage>
  );
}
