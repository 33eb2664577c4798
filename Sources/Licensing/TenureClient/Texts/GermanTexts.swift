enum GermanTexts {
    static let reasons: [String: TextPair] = [
        "lease_holds": .init(
            "Die Lizenz wurde am {issuedAt} bestätigt.",
            "Du musst nichts tun. Die Lizenz wird automatisch erneut bestätigt, wenn du online bist."),
        "lease_lapsed": .init(
            "Die Lizenz wurde zuletzt am {issuedAt} bestätigt und galt bis {expiresAt}.",
            "Verbinde dich mit dem Internet. Die App bestätigt die Lizenz dann automatisch, oder du prüfst jetzt."),
        "lease_unverifiable": .init(
            "Die gespeicherte Bestätigung der Lizenz kann nicht geprüft werden.",
            "Verbinde dich mit dem Internet. Die App bestätigt die Lizenz dann automatisch neu, oder du prüfst jetzt."),
        "lease_missing": .init(
            "Die Lizenz wurde auf diesem Gerät noch nicht bestätigt.",
            "Verbinde dich mit dem Internet. Die App bestätigt die Lizenz dann automatisch, oder du prüfst jetzt."),
        "record_corrupted": .init(
            "Die Lizenzdaten auf diesem Gerät sind beschädigt.",
            "Gib den Lizenzschlüssel erneut ein. Wenn du keinen hast, verbinde dich mit dem Internet und prüfe jetzt."),
        "record_corrupted.foundAt": .init(
            "Die Lizenzdaten, die bis {foundAt} hier lagen, sind beschädigt und werden nicht verwendet.",
            "Gib den Lizenzschlüssel erneut ein. Das zählt nicht als zweite Aktivierung."),
        "record_foreign": .init(
            "Die Lizenzdaten stammen von einem anderen Gerät oder gehören zu einem anderen Produkt.",
            "Aktiviere den Lizenzschlüssel auf diesem Gerät. Wenn du keinen hast, verbinde dich mit dem Internet und prüfe jetzt."
        ),
        "record_foreign.foundAt": .init(
            "Die Lizenzdaten, die bis {foundAt} hier lagen, werden nicht verwendet. Sie stammen von einem anderen Gerät, oder dieses Gerät hat eine neue Kennung.",
            "Aktiviere den Lizenzschlüssel auf diesem Gerät."),
        "record_unreadable": .init(
            "Die Lizenzdaten können nicht gelesen werden.",
            "Erlaube der App, ihre Dateien zu lesen, und starte sie neu."),
        "record_unwritable": .init(
            "Die Lizenzdaten können nicht gespeichert werden.",
            "Erlaube der App, ihre Dateien zu schreiben, und sorge für freien Speicherplatz."),
        "clock_set_back": .init(
            "Die Uhr dieses Geräts zeigt {clock}, aber es ist mindestens {atLeast}.",
            "Stelle die Uhr richtig, oder verbinde dich mit dem Internet und prüfe jetzt."),
        "trial_running": .init(
            "Die Testphase endet am {endsAt}.", "Aktiviere einen Lizenzschlüssel, um die App danach weiter zu nutzen."),
        "trial_ended": .init("Die Testphase endete am {endedAt}.", "Aktiviere einen Lizenzschlüssel."),
        "trial_not_started": .init(
            "Es gibt keine Lizenz, und die Testphase hat noch nicht begonnen.",
            "Starte die Testphase, oder aktiviere einen Lizenzschlüssel."),
        "trial_not_offered": .init(
            "Es gibt keine Lizenz, und das Produkt hat keine Testphase.", "Aktiviere einen Lizenzschlüssel."),
        "free_tier": .init(
            "Das Produkt hat einen kostenlosen Umfang.", "Aktiviere einen Lizenzschlüssel, um alles freizuschalten."),
        "no_free_tier": .init("Das Produkt hat keinen kostenlosen Umfang.", "Aktiviere einen Lizenzschlüssel."),
        "not_connected_yet": .init(
            "Verbinde dich einmal, um zu sehen, was enthalten ist.",
            "Verbinde dich mit dem Internet und prüfe jetzt, oder aktiviere einen Lizenzschlüssel."),
        "product_terms_unknown": .init(
            "Die App weiß noch nicht, was du ohne Lizenz nutzen kannst.",
            "Verbinde dich mit dem Internet und prüfe jetzt, oder aktiviere einen Lizenzschlüssel."),
        "server_unreached": .init(
            "Die Anfrage an den Lizenzserver ist fehlgeschlagen.",
            "Du musst nichts tun. Die App versucht es automatisch erneut."),
        "server_unreached.cause.offline": .init(
            "Es gibt keine Verbindung zum Lizenzserver.",
            "Verbinde dich mit dem Internet. Die App versucht es dann automatisch erneut, oder du prüfst jetzt."),
        "server_unreached.cause.cancelled": .init(
            "Die Anfrage an den Lizenzserver wurde abgebrochen.",
            "Verbinde dich mit dem Internet. Die App versucht es dann automatisch erneut, oder du prüfst jetzt."),
        "server_unreached.cause.captive": .init(
            "In diesem Netz musst du dich zuerst anmelden.",
            "Melde dich im Browser bei dem Netz an. Die App versucht es dann automatisch erneut, oder du prüfst jetzt."),
        "server_unreached.cause.busy": .init(
            "Der Lizenzserver ist gerade ausgelastet.", "Du musst nichts tun. Die App versucht es automatisch erneut."),
        "server_unreached.cause.untrusted": .init(
            "Die Verbindung zum Lizenzserver ist in diesem Netz nicht sicher.",
            "Versuche es in einem anderen Netz. Wenn das nicht hilft, wende dich an den Anbieter."),
        "server_unreached.cause.unverified": .init(
            "Die Antwort des Lizenzservers konnte nicht geprüft werden.",
            "Versuche es in einem anderen Netz. Wenn das nicht hilft, wende dich an den Anbieter."),
        "server_unreached.cause.misconfigured": .init(
            "Der Lizenzserver nimmt die Einstellungen dieser App nicht an.",
            "Wende dich an den Anbieter. Die App versucht es automatisch erneut."),
        "server_unreached.triedAt": .init(
            "Die letzte Anfrage an den Lizenzserver, am {triedAt}, ist fehlgeschlagen.",
            "Prüfe jetzt, oder warte: Die App versucht es auch automatisch."),
        "server_unreached.until": .init(
            "Der Lizenzserver bittet die App, bis {until} zu warten.",
            "Prüfe dann erneut, oder warte: Die App versucht es auch automatisch."),
        "license_refused": .init("Der Lizenzserver hat die Lizenz abgelehnt.", "Frage den Anbieter nach dem Grund."),
        "license_in_use": .init(
            "Auf diesem Gerät gibt es schon eine gültige Lizenz.",
            "Um sie zu ersetzen, öffne den Link erneut und bestätige."),
        "not_looked_yet": .init("Die Lizenz wurde seit dem Start der App noch nicht geprüft.", "Warte einen Moment."),
        "license_unknown": .init(
            "Für dieses Produkt gibt es keine Lizenz mit diesem Schlüssel.",
            "Prüfe den Schlüssel auf Tippfehler, und ob er zu diesem Produkt gehört."),
        "license_rekeyed": .init(
            "Die Lizenz hat einen neuen Schlüssel; dieser gilt nicht mehr.",
            "Aktiviere den neuen Schlüssel. Wenn du ihn nicht hast, wende dich an den Anbieter."),
        "license_revoked": .init(
            "Die Lizenz wurde widerrufen.",
            "Frage den Anbieter nach dem Grund. Eine widerrufene Lizenz gilt nie wieder, aber der Anbieter kann eine neue ausstellen."
        ),
        "license_revoked.cause.refund": .init(
            "Die Lizenz wurde widerrufen, weil die Zahlung erstattet wurde.",
            "Eine widerrufene Lizenz gilt nie wieder, aber der Anbieter kann eine neue ausstellen."
        ),
        "license_returned": .init(
            "Die Lizenz wurde zurückgegeben.",
            "Verwende einen anderen Lizenzschlüssel. Eine zurückgegebene Lizenz gilt nie wieder."),
        "license_suspended": .init(
            "Die Lizenz ist ausgesetzt.", "Bitte den Anbieter, sie wieder freizugeben. Deine Geräte bleiben aktiviert."),
        "license_suspended.cause.refund": .init(
            "Die Lizenz ist ausgesetzt, weil die Zahlung erstattet wurde.",
            "Bitte den Anbieter, sie wieder freizugeben. Deine Geräte bleiben aktiviert."),
        "license_suspended.cause.dispute": .init(
            "Die Lizenz ist ausgesetzt, weil die Zahlung beanstandet wurde. Eine abgewiesene Beanstandung hebt das automatisch auf.",
            "Bitte den Anbieter, sie wieder freizugeben. Deine Geräte bleiben aktiviert."),
        "license_expired": .init(
            "Die Lizenz ist abgelaufen.", "Verlängere die Lizenz und prüfe jetzt. Dieses Gerät bleibt aktiviert."),
        "license_expired.expiredAt": .init(
            "Die Lizenz ist am {expiredAt} abgelaufen.",
            "Verlängere die Lizenz. Ihre Geräte bleiben aktiviert und gehen sofort wieder."),
        "license_expired.mode.fallback": .init(
            "Die Lizenz ist abgelaufen. Die App läuft mit vermindertem Umfang.",
            "Um alles wieder freizuschalten, verlängere die Lizenz und prüfe jetzt."),
        "license_in_grace": .init(
            "Die Lizenz ist am {expiredAt} abgelaufen und gilt aus Kulanz noch bis {graceEndsAt}.",
            "Verlängere die Lizenz, bevor diese Frist endet."),
        "license_stays_suspended": .init(
            "Die Lizenz bleibt ausgesetzt, bis sie wieder freigegeben wird. Ihre Laufzeit läuft weiter.",
            "Bitte den Anbieter, sie wieder freizugeben."),
        "activation_released": .init(
            "Die Lizenz ist auf diesem Gerät nicht aktiviert.", "Aktiviere den Lizenzschlüssel auf diesem Gerät erneut."
        ),
        "activation_released_by_holder": .init(
            "Dieses Gerät wurde auf der Seite der Lizenz oder von einem anderen Gerät aus freigegeben.",
            "Aktiviere den Lizenzschlüssel hier erneut, oder bitte den Anbieter, das Gerät wiederherzustellen."),
        "activation_released_by_holder.releasedAt": .init(
            "Dieses Gerät wurde am {releasedAt} auf der Seite der Lizenz oder von einem anderen Gerät aus freigegeben.",
            "Aktiviere den Lizenzschlüssel hier erneut, oder bitte den Anbieter, das Gerät wiederherzustellen."),
        "activation_other_device": .init(
            "Diese Aktivierung gehört zu einem anderen Gerät.", "Aktiviere den Lizenzschlüssel auf diesem Gerät."),
        "activation_limit_reached": .init(
            "Alle Aktivierungen dieser Lizenz sind vergeben ({activations} von {activationLimit}).",
            "Deaktiviere die Lizenz auf einem Gerät, das du nicht mehr nutzt, oder bitte den Anbieter um ein höheres Limit."
        ),
        "activation_limit_reached.deviceChanges": .init(
            "Diese Lizenz wurde kürzlich auf zu vielen verschiedenen Geräten genutzt ({devices}).",
            "Nutze eines dieser Geräte, warte, oder wende dich an den Anbieter."),
        "self_release_off": .init(
            "Du kannst Geräte dieser Lizenz nicht von einem anderen Gerät aus freigeben.",
            "Deaktiviere die Lizenz auf dem Gerät selbst, oder bitte den Anbieter darum."),
        "self_release_cooldown": .init(
            "Vor Kurzem wurde ein Gerät freigegeben; für das nächste ist es noch zu früh.",
            "Versuche es später erneut, oder wende dich an den Anbieter."),
        "self_release_used_up": .init(
            "Du hast alle Gerätefreigaben dieses Jahres genutzt ({perYear}).",
            "Versuche es später erneut, oder wende dich an den Anbieter."),
        "error.not_stored": .init(
            "Die Lizenz konnte auf diesem Gerät nicht gespeichert werden.",
            "Sorge für freien Speicherplatz, erlaube der App, ihre Dateien zu schreiben, und versuche es erneut."),
        "error.not_read": .init(
            "Die Lizenz auf diesem Gerät kann nicht gelesen werden.",
            "Erlaube der App, ihre Dateien zu lesen, und starte sie neu."),
        "error.misconfigured": .init(
            "Die Lizenzeinstellungen dieser App sind ungültig.",
            "Aktualisiere die App, oder wende dich an den Anbieter."),
        "error.no_device": .init(
            "Dieses Gerät kann nicht erkannt werden.",
            "Frage den Anbieter der App, wie dieses Gerät erkannt werden kann."),
    ]

    static let views: [String: String] = [
        "notDetermined": "Lizenz", "trial.one": "Testphase: noch 1 Tag", "trial": "Testphase: noch {days} Tage",
        "licensed": "Lizenziert", "limited": "Lizenz abgelaufen", "freeTier": "Kostenloser Umfang",
        "trialEnded": "Testphase beendet", "noLicense": "Keine Lizenz", "expired": "Lizenz abgelaufen",
        "clockSetBack": "Uhr zurückgestellt", "invalid": "Lizenz ungültig", "startTrial": "Testphase starten",
        "check": "Jetzt prüfen", "deactivate": "Auf diesem Gerät deaktivieren", "key": "Lizenzschlüssel",
        "activate": "Aktivieren",
    ]
}
