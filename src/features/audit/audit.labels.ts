/** The Chinese labels of the kinds of audit rows. */
export const auditKindLabels = { read: '查看名单', reveal: '查看个人', write: '操作', export: '导出', import: '导入' } as const;
