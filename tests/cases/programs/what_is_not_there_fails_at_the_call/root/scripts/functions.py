class Shop:
    pass


def there():
    return 1


number = 7
