/** Interface, Limits: inline html size of a send, in bytes of UTF-8. */
export const maxHtmlBytes = 256 * 1024;

/** Interface, Limits: the most records that one page of a paginated list holds. */
export const maxPageSize = 100;
