import { Alert, Button, Group, Select, Stack, Table, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link, useParams, useSearchParams } from '#ui/router/router.tsx';
import {
  exportExcelTemplate,
  getExcelOptions,
  getExcelTemplate,
  getExcelTemplateList,
  previewExcelTemplate,
  type ChosenCell,
  type Preview,
  type Template,
} from '#features/exceltemplate/exceltemplate.contract.ts';
import { CellDrawer } from '#features/exceltemplate/page/CellDrawer.tsx';
import { describeMapping, signOf } from '#features/exceltemplate/page/cellWords.ts';
import { SheetGrid } from '#features/exceltemplate/page/SheetGrid.tsx';
import type { GridCell, Sheet } from '#features/exceltemplate/page/gridPlaces.ts';
import classes from '#features/exceltemplate/page/excel.module.css';

type Options = ResponseOf<typeof getExcelOptions>;

/** One form: its worksheets as grids, what fills each cell, and the filled file of a period. */
export default function ExcelTemplatePage() {
  const templateid = Number(useParams()['templateid']);
  const template = useActionQuery(getExcelTemplate, { templateid }, { quiet: true });
  const options = useActionQuery(getExcelOptions, { templateid }, { quiet: true });
  return (
    <Loaded read={template} skeleton={<Skeletons.Page />}>
      {(found) => (
        <Loaded read={options} skeleton={<Skeletons.Page />}>
          {(choices) => <TemplateView template={found} options={choices} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function TemplateView({ template, options }: { template: Template; options: Options }) {
  const [params, setParams] = useSearchParams();
  const { templateid, title, cells, sheets } = template;
  const periods = options.periods.map(({ year, term, periodname, datatime }) => ({
    value: `${year}_${term}`,
    label: datatime ? periodname : `${periodname}（结果未发布）`,
  }));
  // Without a choice the page opens on the newest published period.
  const usual = options.periods.find(({ datatime }) => datatime) ?? options.periods[0];
  const chosen = params.get('period') ?? (usual ? `${usual.year}_${usual.term}` : '');
  const [year = '', term = ''] = chosen.split('_');
  const hasPreview = year !== '' && cells.length > 0;
  const preview = useActionQuery(previewExcelTemplate, hasPreview ? { templateid, year, term } : undefined, {
    keepPrevious: true,
    quiet: true,
  });
  const shown = hasPreview ? preview.data : undefined;
  const [open, setOpen] = useState<{ sheet: Sheet; ref: string }>();
  const [sheetname, setSheetname] = useState(sheets[0]?.sheetname ?? '');
  const sheet = sheets.find((one) => one.sheetname === sheetname) ?? sheets[0];
  const own = cells.filter((cell) => cell.sheetname === sheet?.sheetname);
  return (
    <PageStack>
      <Section
        title={title}
        right={
          <Group gap="sm" align="end">
            <Button component={Link} to="/statistics/excel" variant="subtle">
              全部表格
            </Button>
            <Select
              aria-label="统计时段"
              data={periods}
              value={chosen || null}
              onChange={(value) => value && setParams({ period: value })}
              placeholder="还没有数据"
              allowDeselect={false}
              w={260}
              maw="100%"
            />
            {hasPreview && (
              <ExportButton action={exportExcelTemplate} request={{ templateid, year, term }} title={`${title}.xlsx`} small>
                填写并下载
              </ExportButton>
            )}
          </Group>
        }
      >
        <Text size="sm" c="dimmed" mb="sm">
          点击单元格（或用方向键移动后按回车），选择要填写的指标。<span className={classes['sign']}>●</span> 填写一个数，
          <span className={classes['sign']}>▼</span>{' '}
          从这一格起向下填充。其他内容、格式和公式保持不变；下载的文件多一张“数据来源”工作表。
        </Text>
        {shown && <PreviewNotes preview={shown} />}
        {sheets.length > 1 && (
          <Tabs value={sheet?.sheetname ?? null} onChange={(value) => setSheetname(value ?? '')} mb="xs">
            <Tabs.List aria-label="工作表">
              {sheets.map((one) => (
                <Tabs.Tab key={one.sheetname} value={one.sheetname}>
                  {one.sheetname}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
        )}
        {sheet && (
          <SheetGrid
            key={sheet.sheetname}
            sheet={sheet}
            chosen={own}
            preview={shown}
            onChoose={({ ref, isFormula }: GridCell) => {
              if (!isFormula) setOpen({ sheet, ref });
            }}
          />
        )}
        {sheet?.isCut && (
          <Text size="sm" c="dimmed" mt="xs">
            表格较大，这里只显示前面的部分；向下填充会一直填到最后一行。
          </Text>
        )}
      </Section>
      <Section title={`已选择的单元格（${own.length}）`}>
        <ChosenList cells={own} options={options} preview={shown} onOpen={({ ref }) => sheet && setOpen({ sheet, ref })} />
      </Section>
      {open && (
        <CellDrawer
          key={`${open.sheet.sheetname} ${open.ref}`}
          templateid={templateid}
          sheet={open.sheet}
          cellref={open.ref}
          cell={cells.find((cell) => cell.sheetname === open.sheet.sheetname && cell.ref === open.ref)}
          options={options}
          invalidates={[getExcelTemplate, getExcelTemplateList, previewExcelTemplate]}
          onClose={() => setOpen(undefined)}
        />
      )}
    </PageStack>
  );
}

/** Names of a list in one line; the rest is counted. */
const SHOWN_NAMES = 6;
const listNames = (names: readonly string[]): string =>
  names.length > SHOWN_NAMES ? `${names.slice(0, SHOWN_NAMES).join('、')} 等 ${names.length} 所` : names.join('、');

/** What staff should know before they hand the file in. */
function PreviewNotes({ preview }: { preview: Preview }) {
  const { datatime, counttime, waiting, unmatched, unlisted } = preview;
  return (
    <Stack gap={6} mb="sm" role="status">
      <Text size="sm">
        数据截至：结果 {datatime || '尚未发布'}，参测 {counttime || '无数据'}
      </Text>
      {waiting.length > 0 && (
        <Alert color="gray" p="xs">
          结果尚未发布，先填“—”：{listNames(waiting)}
        </Alert>
      )}
      {unmatched.length > 0 && (
        <Alert color="orange" p="xs">
          这些行的名称没有对上，保持不变：
          {unmatched
            .slice(0, SHOWN_NAMES)
            .map(({ ref, text }) => `${ref} ${text}`)
            .join('、')}
          {unmatched.length > SHOWN_NAMES ? ` 等 ${unmatched.length} 行` : ''}
        </Alert>
      )}
      {unlisted.length > 0 && (
        <Alert color="orange" p="xs">
          表格里没有这些学校（机构）的行：{listNames(unlisted)}
        </Alert>
      )}
    </Stack>
  );
}

function ChosenList({
  cells,
  options,
  preview,
  onOpen,
}: {
  cells: readonly ChosenCell[];
  options: Options;
  preview: Preview | undefined;
  onOpen: (cell: ChosenCell) => void;
}) {
  if (cells.length === 0) return <EmptyState title="还没有选择单元格" hint="点击上面表格里要填数的单元格，选择指标" />;
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>单元格</Table.Th>
            <Table.Th>填写的内容</Table.Th>
            <Table.Th>预览</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {cells.map((cell) => (
            <Table.Tr key={cell.cellid}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <button type="button" className={classes['link']} onClick={() => onOpen(cell)} aria-label={`修改 ${cell.ref}`}>
                  {cell.ref}
                </button>
              </Table.Td>
              <Table.Td>
                <span className={classes['sign']}>{signOf(cell)}</span> {describeMapping(cell, options)}
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{previewWords(cell, preview)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function previewWords(cell: ChosenCell, preview: Preview | undefined): string {
  if (!preview) return '—';
  const values = preview.cells.filter(({ cellid }) => cellid === cell.cellid);
  if (values.length === 0) return '没有对应的行';
  return values.length === 1 && values[0]?.ref === cell.ref ? values[0].text : `${values.length} 行`;
}
