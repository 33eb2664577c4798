import TenureCommandLine
import TenureCore
import TenureFormats

enum DeviceTapCommand {
    static let command = Command(
        "tap", "Taps an app's icon: launches the app, or shows the alert and its Resolve page.",
        discussion: """
            The alert has a Resolve button if the marketplace's configuration names a resolution page. The page is \
            then opened and its text shown. A darkened icon is requested again. Exits with 1 if the app does not \
            launch.
            """,
        example: "tenure device tap phone --item 6483539426",
        arguments: [DeviceOptions.folder, DeviceOptions.item, SharedOptions.json],
        output: DeviceOutputs.tap
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        let now = open.now
        if open.device.waiting.contains(where: { $0.item == arguments[DeviceOptions.item] }) {
            return try await tapDarkened(&open, arguments, console)
        }
        let tap = try await open.session.tap(arguments[DeviceOptions.item], at: now)
        try open.save()
        let app = try open.session.app(arguments[DeviceOptions.item])
        let asJSON = arguments[SharedOptions.json]
        switch tap {
        case .launches:
            console.answer("\(app.name) launches; its license runs \(app.endWords(at: now))", asJSON: asJSON) { body in
                body.member("outcome", "launches")
                body.app(app, at: now)
            }
            return .done
        case .alert(let alert, _):
            var page: ResolutionPage?
            if let url = alert.resolution { page = try await open.session.openPage(url) }
            if asJSON {
                console.answer { body in
                    body.member("outcome", alert.resolution == nil ? "alert" : "resolve")
                    body.alert(alert, page: page)
                    body.app(app, at: now)
                }
            } else {
                console.answer(lines: AlertBox.lines(alert) + (page.map(lines) ?? []))
            }
            return .failed
        }
    }

    /// Taps a darkened icon, which makes the system request the app again.
    private static func tapDarkened(
        _ open: inout OpenDevice, _ arguments: Parsed, _ console: Console
    ) async throws -> ExitCode {
        let (bar, now, device) = (console.installBar(), open.now, open.device)
        let outcomes = await open.session.restore(
            [arguments[DeviceOptions.item]], into: open.folder.files, at: now, meter: { bar.meter() })
        bar.line.clear()
        try open.save()
        let isThere = open.device.waiting.count < device.waiting.count
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.member("outcome", isThere ? "installed" : "waiting")
                body.restored(outcomes, at: now)
            }
            return isThere ? .done : .failed
        }
        for outcome in outcomes {
            if case .waits(_, let prompt?) = outcome.outcome {
                let words = prompt.words(app: outcome.app.name, marketplace: device.marketplaceTitle)
                console.answer(lines: AlertBox.lines(words.title, words.message, ["OK"]))
            } else {
                console.answer(lines: outcome.lines(marketplace: device.marketplaceTitle))
            }
        }
        return isThere ? .done : .failed
    }

    private static func lines(of page: ResolutionPage) -> [String] {
        let head = [
            "", "Resolve opens \(page.url)" + (page.status == 200 ? "" : ", which returned status \(page.status)"), "",
        ]
        return head + page.lines.map { ($0.isHeading ? "# " : "  ") + $0.text.printable }
    }
}

extension JSONObjectWriter {
    fileprivate mutating func alert(_ alert: Tap.Alert, page: ResolutionPage?) {
        member("title", alert.title)
        member("message", alert.message)
        member("buttons", alert.buttons)
        guard let page else { return null("page") }
        object("page") { body in
            body.member("url", page.url)
            body.member("status", page.status)
            body.array("lines") { list in
                for line in page.lines {
                    list.object { body in
                        body.member("text", line.text)
                        body.member("heading", line.isHeading)
                    }
                }
            }
        }
    }
}

/// An alert as it appears on the Home Screen.
private enum AlertBox {
    private static let width = 44

    static func lines(_ alert: Tap.Alert) -> [String] { lines(alert.title, alert.message, alert.buttons) }

    static func lines(_ title: String, _ message: String, _ buttons: [String]) -> [String] {
        let buttons = buttons.map { "[ \($0) ]" }.joined(separator: "  ")
        let edge = String(repeating: "-", count: width + 2)
        let texts = [title, ""] + wrapped(message) + ["", buttons]
        return ["+\(edge)+"] + texts.map { "| \(centred($0)) |" } + ["+\(edge)+"]
    }

    private static func centred(_ text: String) -> String {
        let gap = max(0, width - text.count)
        return String(repeating: " ", count: gap / 2) + text + String(repeating: " ", count: gap - gap / 2)
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.printable.split(atByte: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
