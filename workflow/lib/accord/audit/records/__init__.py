"""What an audit holds the project's records against: logs, ledgers, keys, histories, strays."""
