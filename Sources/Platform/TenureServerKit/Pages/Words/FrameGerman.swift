enum FrameGerman {
    static let words: [FrameText: Wording] = [
        .skip: "Zum Inhalt springen",
        .view: "Sprache und Zeitzone",
        .language: "Sprache",
        .timeZone: "Zeitzone",
        .apply: "Übernehmen",
        .simulated:
            "Simulation: Die Lizenzen dieses Servers sind zum Ausprobieren. Echte Geräte nehmen sie nicht an.",
        .virtualClock: "Virtuelle Uhr: Die Zeit dieses Servers ist zum Ausprobieren verstellt.",
        .nothingHere: "Seite nicht gefunden",
        .homeTitle: "Lizenzserver",
        .homeLead: "Hier prüfen Apps ihre Lizenzen. Auf dieser Seite gibt es für Sie nichts zu tun.",
        .homeText: """
        Wenn Sie einen Link zu Ihrer Lizenz, Ihren Geräten oder Ihren Kursen erhalten haben, öffnen Sie \
        den ganzen Link bis zum letzten Zeichen.
        """,
        .homeProgram: "Für Entwickler: {link}",
        .signedInAs: "Angemeldet als {name}",
        .license: "Lizenz {name}",
        .signOut: "Abmelden",
        .close: "Schließen",
        .supportEmail: "Brauchen Sie Hilfe? Schreiben Sie an {email}.",
        .supportSite: "Brauchen Sie Hilfe? Besuchen Sie {site}.",
        .supportBoth: "Brauchen Sie Hilfe? Schreiben Sie an {email} oder besuchen Sie {site}.",
        .supportReference: "Vorgangsnummer für den Support: {reference}",
        .homepage: "Zur Website von {name}",
        .timeNow: "jetzt",
        .timeInMinutes: .counted(one: "in 1 Minute", other: "in {count} Minuten"),
        .timeInHours: .counted(one: "in 1 Stunde", other: "in {count} Stunden"),
        .timeInDays: .counted(one: "in 1 Tag", other: "in {count} Tagen"),
        .timeMinutesAgo: .counted(one: "vor 1 Minute", other: "vor {count} Minuten"),
        .timeHoursAgo: .counted(one: "vor 1 Stunde", other: "vor {count} Stunden"),
        .timeDaysAgo: .counted(one: "vor 1 Tag", other: "vor {count} Tagen"),
        .linkTitle: "Ihr Einmal-Link",
        .linkWorksOnce: "Der Link funktioniert einmal.",
        .linkStaysSignedIn: "Sie bleiben auf diesem Gerät eine halbe Stunde lang angemeldet.",
        .linkStaysOpen: "Die Seite bleibt auf diesem Gerät eine halbe Stunde lang geöffnet.",
        .goOn: "Weiter",
        .toStart: "Zur Startseite",
        .toDevices: "Zurück zu Ihren Geräten",
        .toLicense: "Zurück zu Ihrer Lizenz",
        .showApp: "{app} bei {marketplace} zeigen",
        .released: "Das Gerät ist freigegeben",
        .releasedText:
            "Sie können jetzt ein anderes Gerät verwenden. Öffnen Sie dort die App, um eine Lizenz zu erhalten.",
        .stopped: "Das Gerät wurde nicht freigegeben",
        .stoppedText: "Der Anbieter hat die Lizenz des Geräts gesperrt. Den Grund nennt Ihnen der Support.",
        .asked: "Ihre Anfrage ist gespeichert",
        .askedText: """
        Sie können eine neue Lizenz für {app} erhalten.
        Das Gerät muss sie selbst abholen. Öffnen Sie dort die Marktplatz-App, warten Sie eine Minute und \
        starten \
        Sie dann {app} noch einmal.
        """,
        .askedInVain: "Ihre Anfrage ist gespeichert, aber es gibt ein Hindernis",
        .askedInVainText: "{app}: {problem}.",
        .over: "Es gibt nichts zu verlängern",
        .overText: """
        Diese Lizenz ist beendet. Installieren Sie die App über die Marktplatz-App noch einmal, um eine neue zu \
        erhalten.
        """,
        .unknownLicense: "Lizenz nicht gefunden",
        .unknownLicenseText: "Dieses Konto hat diese Lizenz nicht.",
        .noSession: "Bitte melden Sie sich noch einmal an",
        .noSessionText: "Sie wurden nach einer halben Stunde abgemeldet.",
        .linkSpent: "Dieser Link funktioniert nicht",
        .linkSpentText: """
        Er wurde schon benutzt oder ist abgelaufen. Bitten Sie den Support um einen neuen, oder melden Sie sich \
        mit Ihrem Passwort an.
        """,
        .formRefused: "Bitte versuchen Sie es noch einmal",
        .formRefusedText: """
        Das Formular kam nicht von dieser Seite, oder Sie haben sich inzwischen neu angemeldet. Es wurde nichts \
        geändert.
        """,
        .tooMany: "Zu viele Versuche",
        .tooManyText: .counted(
            one: "Versuchen Sie es in einer Minute wieder.", other: "Versuchen Sie es in {count} Minuten wieder."),
        .busy: "Einen Augenblick",
        .busyText: "Der Server ist ausgelastet. Versuchen Sie es in ein paar Sekunden wieder.",
        .failed: "Etwas ist schiefgegangen",
        .failedText: "Das ist unser Fehler. Es wurde nichts geändert. Versuchen Sie es in einer Minute wieder.",
        .deviceReleased: "{device} ist freigegeben",
        .deviceReleasedText: """
        Starten Sie die App auf dem Gerät, das Sie verwenden möchten, und aktivieren Sie dort Ihre Lizenz.
        {device} erfährt davon bei der nächsten Verbindung mit dem Internet.
        """,
        .deviceKept: "Das Gerät wurde nicht freigegeben",
        .yourDevices: "Ihre Geräte",
        .lastSeen: "Zuletzt gesehen",
        .release: "Dieses Gerät freigeben",
        .releaseNow: "Ja, {device} freigeben",
        .releasesLeft: .counted(
            one: "Sie können in diesem Jahr noch ein Gerät freigeben.",
            other: "Sie können in diesem Jahr {count} Geräte freigeben."),
        .releaseCooldown: """
        Sie haben vor Kurzem ein Gerät freigegeben. Das nächste können Sie ab {date} freigeben.
        Wenn Sie nicht so lange warten können, schreiben Sie dem Support.
        """,
        .releasesUsedUp: """
        Sie haben alle Freigaben dieses Jahres verbraucht. Das nächste Gerät können Sie ab {date} freigeben.
        Wenn Sie nicht so lange warten können, schreiben Sie dem Support.
        """,
        .pageClosed: "Diese Seite ist geschlossen",
        .pageClosedText: """
        Sie bleibt eine halbe Stunde lang geöffnet, danach kann sie niemand mehr sehen. Bitten Sie den Support \
        um einen neuen Link.
        """,
        .pageLinkSpent: "Dieser Link funktioniert nicht",
        .pageLinkSpentText:
            "Er wurde schon benutzt oder ist abgelaufen. Bitten Sie den Support um einen neuen.",
        .contentsReleased: "Das Gerät ist freigegeben",
        .contentsReleasedText: """
        Alle Inhalte darauf sind zurückgegeben. Das Gerät erfährt davon bei der nächsten Verbindung mit \
        dem Internet.
        Melden Sie sich auf dem Gerät an, das Sie verwenden möchten, und laden Sie Ihre Inhalte dort herunter.
        """,
        .signedOut: "Sie sind abgemeldet",
        .signedOutText: "Niemand kann hier Ihre Geräte sehen, solange Sie sich nicht wieder anmelden.",
    ]
}
