import { Anchor } from '@mantine/core';
import { TEMPLATES_PATH } from '#blocks/planlibrary/LibraryTabs.tsx';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { SelectField, type Field } from '#ui/form/fields.tsx';
import { Link } from '#ui/router/router.tsx';
import { getReportTemplateList, insertReportTemplate } from '#features/reporttemplate/reporttemplate.contract.ts';

/** The template of a custom report: one that is enabled, of the institution or of one above it. */
export function TemplateField(field: Field) {
  const list = useActionQuery(getReportTemplateList, { page: 1, pageSize: 200 }, { quiet: true });
  const chosen = typeof field.value === 'string' ? field.value : '';
  const options = (list.data?.rows ?? [])
    // The chosen one stays, so that a plan with a disabled template shows its name instead of an empty field.
    .filter(({ enabled, templatecode }) => enabled === 1 || templatecode === chosen)
    .map(({ templatecode, templatename, own, insname, enabled }) => ({
      value: templatecode,
      label: [templatename, own ? '' : `（${insname}）`, enabled === 1 ? '' : '（已停用）'].join(''),
    }));
  const isEmpty = list.data !== undefined && options.length === 0;
  return (
    <div>
      <SelectField {...field} required options={options} placeholder={isEmpty ? '还没有可用的模板' : '请选择'} />
      {can(insertReportTemplate) && (
        <Anchor component={Link} to={`${TEMPLATES_PATH}/edit`} target="_blank" size="sm" mt={4} display="inline-block">
          新建模板
        </Anchor>
      )}
    </div>
  );
}
