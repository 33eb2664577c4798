/// Writes a report as one HTML page, without scripts or external resources.
///
/// The server's texts are escaped, so that they can't add markup.
enum ConformanceHTML {
    static func page(of report: ConformanceReport) -> String {
        let title = "Conformance of \(report.target.escaped)"
        let counts = ["pass", "fail", "skip"].map { "\(report.count($0)) \($0)" }.joined(separator: ", ")
        let families = ConformanceCheck.families.map { section($0.name, $0.title, report) }.joined()
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <style>\(style)</style></head><body>
            <h1>\(title)</h1>
            <p>\(report.mode.rawValue) mode: \(counts).\(report.remains.map { " " + $0.sentence.escaped } ?? "")</p>
            \(picture(report))
            \(failures(report))\(families)
            </body></html>

            """
    }

    /// A bar chart with the passed, failed and skipped checks of each family.
    private static func picture(_ report: ConformanceReport) -> String {
        let widest =
            ConformanceCheck.families.map { family in report.results.count { $0.check.family == family.name } }
            .max() ?? 1
        let scale = 520.0 / Double(max(1, widest))
        var rows = ""
        for (index, family) in ConformanceCheck.families.enumerated() {
            let y = index * 28
            rows += "<text x=\"100\" y=\"\(y + 17)\" text-anchor=\"end\" class=\"name\">\(family.name)</text>"
            var x = 110.0
            for outcomeName in ["pass", "fail", "skip"] {
                let count = report.count(outcomeName, in: family.name)
                if count == 0 { continue }
                let width = Double(count) * scale
                rows +=
                    "<rect x=\"\(rounded(x))\" y=\"\(y + 3)\" width=\"\(rounded(width))\" height=\"20\" class=\"\(outcomeName)\"/>"
                if width >= 16 {
                    rows +=
                        "<text x=\"\(rounded(x + width / 2))\" y=\"\(y + 18)\" text-anchor=\"middle\" class=\"count \(outcomeName)\">\(count)</text>"
                }
                x += width
            }
        }
        let height = ConformanceCheck.families.count * 28
        return """
            <figure><svg viewBox="0 0 640 \(height)" role="img" aria-label="Passes, failures and skips by family">\(rows)</svg>
            <figcaption><span class="key pass"></span> pass <span class="key fail"></span> fail <span class="key skip"></span> skip</figcaption></figure>
            """
    }

    private static func rounded(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func failures(_ report: ConformanceReport) -> String {
        let failures = report.failures
        if failures.isEmpty { return "<h2>Nothing failed</h2>\n" }
        let items = failures.map { result in
            """
            <li><p><b class="\(result.check.severity.rawValue)">\(result.check.severity.rawValue)</b> \
            <code>\(result.check.id)</code> \(result.check.title.escaped)</p>
            <p>\((result.cause ?? "").escaped) Expected: \(result.check.expected.escaped).</p>
            <p class="wire">\((result.sent ?? "").escaped) &rarr; \((result.received ?? "").escaped)</p>
            <p>\(result.check.fix.escaped) <span class="source">\(result.check.source.escaped)</span></p></li>

            """
        }
        return "<h2>What failed</h2>\n<ul>\n\(items.joined())</ul>\n"
    }

    private static func section(_ family: String, _ title: String, _ report: ConformanceReport) -> String {
        let rows = report.results.filter { $0.check.family == family }.map { result in
            """
            <tr><td><code>\(result.check.id)</code></td><td>\(result.check.title.escaped)</td>\
            <td class="\(result.outcomeName)">\(result.outcomeName)</td><td>\((result.cause ?? "").escaped)</td></tr>

            """
        }
        return """
            <details><summary>\(title): \(report.count("pass", in: family)) pass, \(report.count("fail", in: family)) fail, \
            \(report.count("skip", in: family)) skip</summary>
            <table><tr><th>check</th><th>what</th><th>result</th><th>cause</th></tr>
            \(rows.joined())</table></details>

            """
    }

    private static let style = """
        :root{color-scheme:light dark;--ink:#1c2530;--paper:#fff;--line:#d5dbe2;--pass:#2e7d4f;--fail:#b3261e;--skip:#aab3bd}
        @media(prefers-color-scheme:dark){:root{--ink:#e6eaef;--paper:#14181d;--line:#38414c;--pass:#4caf77;--fail:#ef6a60;--skip:#5b6672}}
        body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:52rem;margin:2rem auto;padding:0 1rem}
        h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.2rem;margin-top:2rem}
        svg{width:100%;height:auto}figure{margin:1rem 0}.name{font:13px system-ui,sans-serif;fill:var(--ink)}
        .count{font:12px system-ui,sans-serif;fill:var(--paper)}.count.skip{fill:var(--ink)}
        rect.pass{fill:var(--pass)}rect.fail{fill:var(--fail)}rect.skip{fill:var(--skip)}
        .key{display:inline-block;width:.8em;height:.8em;margin-left:1em}span.pass{background:var(--pass)}span.fail{background:var(--fail)}span.skip{background:var(--skip)}
        td.pass{color:var(--pass)}td.fail,b.error{color:var(--fail);font-weight:700}
        ul{list-style:none;padding:0}li{border-top:1px solid var(--line);padding:.6rem 0}li p{margin:.2rem 0;overflow-wrap:anywhere}
        .wire,code{font-family:ui-monospace,monospace;font-size:.85em}.source{opacity:.7}
        summary{cursor:pointer;padding:.4rem 0}table{border-collapse:collapse;width:100%}
        th,td{border-top:1px solid var(--line);padding:.3rem .4rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
        """
}

extension String {
    /// The text escaped for HTML, with control and format characters spelled out.
    fileprivate var escaped: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator:
                    text += "\\u{" + String(scalar.value, radix: 16) + "}"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
