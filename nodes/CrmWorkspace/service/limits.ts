/** The most that the html of a send may have, in bytes of UTF-8. Interface: SEND-11. */
export const maxHtmlBytes = 256 * 1024;

/** The most records that one page of a paginated list holds. Interface: LIST-10. */
export const maxPageSize = 100;
