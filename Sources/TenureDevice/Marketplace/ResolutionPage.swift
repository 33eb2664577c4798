import TenureHTTPClient

/// The page behind Resolve, as text.
package struct ResolutionPage: Sendable, Hashable {
    /// The URL that was opened, as the configuration names it.
    package let url: String
    /// The status it was answered with.
    package let status: Int
    /// What stands on it.
    package let lines: [PageText.Line]
}

extension ServedMarketplace {
    /// Opens the page behind Resolve as the system's web view does.
    ///
    /// - Throws: `.unreachable`.
    package func openPage(_ url: String) async throws(DeviceError) -> ResolutionPage {
        let answer = try await ask(.get(url, fields: ["Accept": "text/html"]))
        return ResolutionPage(url: url, status: answer.status, lines: PageText.lines(of: answer.text))
    }
}
