/* mail.c: */
#include "visor.h"
void mails_take(void)
{
    mail_waits = 0;
}
