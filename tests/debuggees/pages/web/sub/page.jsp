<%-- SPDX-License-Identifier: Apache-2.0 --%>
<p>The package contains</p>
<% int sum = 1; %>
<%= sum %>
<p>items.</p>
<% sum += 2; %>
