package import TenureCore
package import TenureFormats
package import TenureHTTPClient

extension RetryAfter {
    /// The seconds to wait according to a response's fields; `nil` if they don't say or are invalid.
    package static func seconds(in fields: HTTPFields, now: Timestamp) -> Int64? {
        seconds(fields["Retry-After"], answered: fields["Date"], now: now)
    }
}
