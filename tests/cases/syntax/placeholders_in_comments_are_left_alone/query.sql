-- << line >> and [[ AND nothing ]] and $1
SELECT id /* << block >> /* << nested >> */ ? :name */
FROM orders -- << trailing
