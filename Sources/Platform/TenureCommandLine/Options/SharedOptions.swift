package import TenureCore
import TenureFormats

/// The options that several commands share, with the same meaning everywhere.
package enum SharedOptions {
    package static let clock: Argument<String?> = .optional(
        "clock", "FILE", "For testing: add the number of seconds in FILE to the system's time.", as: .text)
    package static let json = Argument.json
    package static let wide = Argument.wide
    package static let baseURL = baseURL(
        "The address at which people reach the server; without it, only the path is printed.")

    /// Declares `--base-url` with another help text.
    package static func baseURL(_ help: String) -> Argument<String?> {
        .optional("base-url", "URL", help, as: webAddress)
    }

    private static var webAddress: ArgumentReading<String> {
        ArgumentReading { text in
            guard let url = WebURL(text), ["http", "https"].contains(url.scheme), !url.hasUser,
                !url.rest.contains(where: { "?#".contains($0) })
            else { throw UsageError("enter an address such as https://licenses.example.com") }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
    }
    package static let tenant: Argument<TenantID?> = .optional("tenant", "TENANT", "Limit to this tenant.", as: .slug())
    package static let product: Argument<ProductID?> = .optional(
        "product", "PRODUCT", "Limit to this product.", as: .slug())

}

extension Parsed {
    /// Whether an argument was typed or comes from a variable or a context.
    package func isNamed<Value>(_ argument: Argument<Value>) -> Bool {
        isTyped(argument) || source(of: argument) != nil
    }
}

extension Actor {
    /// The actor recorded for changes that are made with the command line.
    package static let commandLine = Actor.operator("cli")
}
